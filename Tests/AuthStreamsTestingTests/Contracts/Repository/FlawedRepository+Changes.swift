import AuthStreams
import AuthStreamsTesting
import Foundation

extension FlawedRepository {
    func signInAnonymously() async throws(AuthError) -> AuthSession {
        var session = try await session("anonymous", [:], .anonymous)
        if flaw == .namesNoGuest { session.user.isAnonymous = false }
        if flaw == .hasOneGuest { session.user.id = "guest" }
        return session
    }

    func reload(_ session: AuthSession) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            let answer = try await send("user", [:], authorization: session.accessToken.reveal())
            return flaw == .reloadsFromMemory ? session : session.taking(answer)
        } catch {
            switch (flaw, error.code) {
            case (.reloadsDisabledUsers, .userDisabled), (.reloadsDeletedUsers, .userNotFound): return session
            default: throw error
            }
        }
    }

    func updateProfile(_ changes: ProfileChanges, of session: AuthSession) async throws(AuthError) -> AuthSession {
        var members: [String: AuthJSON] = [:]
        if let change = changes.displayName { members["name"] = change.value.map(AuthJSON.string) ?? .null }
        if let change = changes.photoURL { members["photo"] = change.value.map { .string($0.absoluteString) } ?? .null }
        if flaw == .keepsWhatIsRemoved { members = members.filter { $0.value != .null } }
        return session.taking(try await send("profile", members, authorization: session.accessToken.reveal()))
    }

    func link(_ credential: Credential, to session: AuthSession) async throws(AuthError) -> AuthSession {
        if flaw == .linksInTheAppAlone, credential.provider == "second" {
            // A request of the user's that changes nothing.
            try await send("unlink", ["provider": "none"], authorization: session.accessToken.reveal())
            var next = session
            next.user.providers.append(.init(id: credential.provider))
            return next
        }
        let isGuest = session.provider == .anonymous
        do throws(AuthError) {
            var next = try await self.session(
                "link", members(of: credential), isGuest ? credential.provider : session.provider,
                authorization: session.accessToken)
            switch flaw {
            case .linksNothing where !isGuest: next.user.providers = session.user.providers
            case .spoilsTokensAtALink where !isGuest: next.refreshToken = Secret("no such token")
            case .hasOneGuest where isGuest: next.user.id = session.user.id
            case .makesAnotherUserOfAGuest where isGuest: next.user.id = "another user"
            default: break
            }
            return next
        } catch {
            var error = error
            if error.code == .credentialInUse, flaw != .keepsAConflictToItself {
                error.conflict = AuthConflict(credential: credential)
            }
            throw error
        }
    }

    func unlink(_ provider: ProviderID, from session: AuthSession) async throws(AuthError) -> AuthSession {
        guard flaw != .unlinksNothing else {
            try await send("note", [:])
            return session
        }
        return try await self.session(
            "unlink", ["provider": .string(provider.rawValue)], session.provider, authorization: session.accessToken)
    }

    func reauthenticate(_ session: AuthSession, with credential: Credential) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            var next = try await self.session(
                "prove", members(of: credential), session.provider, authorization: session.accessToken)
            if flaw == .provesAnotherUser { next.user.id = "another user" }
            if flaw == .spoilsTokensAtAProof { next.refreshToken = Secret("no such token") }
            return next
        } catch {
            guard flaw == .believesAnybody, error.code == .credentialInUse else { throw error }
            return session
        }
    }

    func signOutEverywhere(_ session: AuthSession) async throws(AuthError) {
        if flaw == .signsOutHereAlone { return try await signOut(session) }
        try await send("everywhere", [:], authorization: session.accessToken.reveal())
    }

    func revokesAccess(at provider: ProviderID) -> Bool { provider == "sample" }

    func revokeAccess(with credential: Credential, of session: AuthSession) async throws(AuthError) {
        let isNoted = flaw == .onlyNotesRevocations && credential.userID == "mia"
        try await send(
            isNoted ? "note" : "revoke", members(of: credential), authorization: session.accessToken.reveal())
    }
}

extension AuthSession {
    /// The same session with the answer's name and picture.
    fileprivate func taking(_ answer: AuthJSON) -> AuthSession {
        var session = self
        session.user.displayName = answer["name"]?.string
        session.user.photoURL = answer["photo"]?.string.flatMap(URL.init(string:))
        return session
    }
}
