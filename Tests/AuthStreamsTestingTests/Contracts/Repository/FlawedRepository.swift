import AuthStreams
import AuthStreamsTesting
import Foundation

/// A repository over a ``SampleServer``, which breaks one promise, or none.
final class FlawedRepository: AuthRepository {
    let flaw: Flaw?
    private let transport: any AuthHTTPTransport
    private let hang: Hang
    private let cached = Lock<(first: AuthSession?, refreshes: Int, signIns: Int)>((nil, 0, 0))
    private let answered = Lock<[Challenge: AuthSession]>([:])

    init(_ flaw: Flaw?, over transport: any AuthHTTPTransport, hang: Hang) {
        (self.flaw, self.transport, self.hang) = (flaw, transport, hang)
    }

    func accepts(_ provider: ProviderID) -> Bool {
        ["sample", "second"].contains(provider) && flaw != .deniesItsOwnProvider
    }

    var refreshTokenRule: RefreshTokenRule { flaw == .claimsThatTokensAreReusable ? .reusable : .singleUse }

    func signIn(with credential: Credential) async throws(AuthError) -> AuthSession {
        guard ["sample", "second"].contains(credential.provider) else {
            if flaw == .asksTheServerAboutUnknownProviders { _ = try await send("note", [:]) }
            throw AuthError(.unsupportedProvider, "There is no route.")
        }
        do throws(AuthError) {
            var session = try await session("sign-in", members(of: credential), credential.provider)
            if flaw == .namesAnotherProvider { session.provider = "another" }
            if flaw == .neverSignsIn { throw AuthError(.misconfigured, "It never works.") }
            let count = cached.withLock { cached in
                cached.signIns += 1
                return cached.signIns
            }
            if flaw == .makesAUserPerSignIn, credential.provider == "sample", count.isMultiple(of: 2) {
                session.user.id = "another user"
            }
            return session
        } catch {
            guard flaw == .callsABadCredentialTrouble, error.code == .invalidCredential else { throw error }
            throw AuthError(.invalidResponse, "The server did not like it.")
        }
    }

    func answer(
        _ challenge: Challenge, with answer: ChallengeAnswer, in session: AuthSession?
    ) async throws(AuthError) -> AuthSession {
        if let known = answered.withLock({ $0[challenge] }) { return known }
        guard case .code(let code) = answer else { throw AuthError(.misconfigured, "There are codes alone.") }
        do throws(AuthError) {
            let token = challenge.pendingToken?.reveal() ?? ""
            let members: [String: AuthJSON] = ["token": .string(token), "code": .string(code.reveal())]
            let session = try await self.session(
                "answer", members, flaw == .forgetsWhoAnswers ? "another" : "sample")
            if flaw == .remembersAnAnswer { answered.withLock { $0[challenge] = session } }
            return session
        } catch {
            guard flaw == .keepsTheOldChallenge, error.challenge != nil else { throw error }
            var stale = error
            stale.challenge = challenge
            throw stale
        }
    }

    func members(of credential: Credential) -> [String: AuthJSON] {
        [
            "credential": .string(credential.accessToken?.reveal() ?? ""),
            "provider": .string(credential.provider.rawValue),
        ]
    }

    func refresh(_ session: AuthSession) async throws(AuthError) -> AuthSession {
        let token = session.refreshToken ?? Secret("")
        if flaw == .keepsTheFirstRefresh, let session = cached.withLock({ $0.first }) { return session }
        if flaw == .sendsTheTokenElsewhere { _ = try await send("note", ["refreshToken": .string(token.reveal())]) }
        do throws(AuthError) {
            let next = try await self.session("refresh", ["refreshToken": .string(token.reveal())], session.provider)
            if flaw == .neverRefreshes { throw AuthError(.misconfigured, "It never works.") }
            cached.withLock { $0.first = next }
            return changed(next, after: session)
        } catch {
            guard flaw == .keepsTheSessionWhenOffline, error.code == .network else { throw error }
            return session
        }
    }

    private func changed(_ next: AuthSession, after session: AuthSession) -> AuthSession {
        var next = next
        let refreshes = cached.withLock { cached in
            cached.refreshes += 1
            return cached.refreshes
        }
        switch flaw {
        case .changesTheProvider: next.provider = "another"
        case .dropsTheNextRefreshToken where refreshes > 1: next.refreshToken = session.refreshToken
        case .spoilsAccessTokens: next.accessToken = Secret("no such token")
        default: break
        }
        return next
    }

    func adopt(_ adoptable: AdoptableSession) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            let form: [String: AuthJSON] = ["refreshToken": .string(adoptable.refreshToken.reveal())]
            var session = try await session("refresh", form, "sample")
            if flaw == .adoptsForSomebodyElse { session.user = AuthUser(id: "somebody else") }
            return session
        } catch {
            guard flaw == .callsAnUnknownTokenTrouble, error.code == .sessionExpired else { throw error }
            throw AuthError(.server, "Try again.")
        }
    }

    func signOut(_ session: AuthSession) async throws(AuthError) {
        if flaw == .failsAtSignOut { throw AuthError(.unexpected, "It never works.") }
        let token = flaw == .signsOutAnotherToken ? "no such token" : session.refreshToken?.reveal() ?? ""
        _ = try await send("sign-out", ["refreshToken": .string(token)])
    }

    func deleteAccount(_ session: AuthSession) async throws(AuthError) {
        let token = session.accessToken.reveal()
        let members: [String: AuthJSON] = flaw == .onlyChecksDeletions ? ["keep": true] : [:]
        do throws(AuthError) { _ = try await send("account", members, authorization: token) } catch {
            guard flaw == .retriesOnce, error.code == .network else { throw error }
            _ = try await send("account", members, authorization: token)
        }
        if flaw == .failsAtDeletion { throw AuthError(.unexpected, "It never works.") }
    }

    // MARK: The wire

    func session(
        _ path: String, _ members: [String: AuthJSON], _ provider: ProviderID, authorization: Secret? = nil
    ) async throws(AuthError) -> AuthSession {
        let answer = try await send(path, members, authorization: authorization?.reveal())
        guard let access = answer["accessToken"]?.string, let refresh = answer["refreshToken"]?.string,
            let user = answer["user"]?.string
        else { throw AuthError(.invalidResponse, "Something is missing.") }
        let identities = (answer["providers"]?.array ?? []).compactMap(\.string).map(ProviderID.init(rawValue:))
        return AuthSession(
            accessToken: Secret(access), refreshToken: Secret(refresh), expiresAt: nil,
            user: AuthUser(
                id: user, providers: identities.map { .init(id: $0) }, isAnonymous: identities.isEmpty),
            provider: provider)
    }

    @discardableResult
    func send(
        _ path: String, _ members: [String: AuthJSON], authorization: String? = nil
    ) async throws(AuthError) -> AuthJSON {
        guard let url = URL(string: "https://sample.example/\(path)") else { throw AuthError(.unexpected, "No URL.") }
        let body = try? JSONEncoder().encode(AuthJSON.object(members))
        var headers: [HeaderName: String] = [:]
        headers[.authorization] = authorization
        let response: AuthHTTPResponse
        do throws(AuthError) {
            response = try await transport.send(AuthHTTPRequest(.post, url, headers: headers, body: body))
        } catch {
            if flaw == .ignoresCancellation, error.code == .cancelled { await hang.forever() }
            if flaw == .takesADeadNetworkForANo, error.code == .timedOut { throw AuthError(.sessionExpired, "Over.") }
            throw error
        }
        let answer = try? JSONDecoder().decode(AuthJSON.self, from: response.body)
        switch response.status {
        case 200..<300: break
        case 429: throw AuthError(flaw == .takesBusyForANo ? .userDisabled : .rateLimited, "Busy.")
        case 500...: throw AuthError(flaw == .takesAFailureForANo ? .sessionExpired : .server, "It failed.")
        default: throw refusal(answer)
        }
        guard let answer, answer.object != nil else {
            throw AuthError(flaw == .takesNonsenseForANo ? .userNotFound : .invalidResponse, "It is no JSON object.")
        }
        return answer
    }

    private func refusal(_ answer: AuthJSON?) -> AuthError {
        switch answer?["error"]?.string {
        case "bad-credential": AuthError(.invalidCredential, "Refused.")
        case "bad-token":
            AuthError(.invalidCredential, "Refused.", refusesAccessToken: flaw != .takesATokenForACredential)
        case "challenge", "wrong-code":
            AuthError(
                answer?["error"] == "challenge" ? .secondFactorRequired : .codeMismatch, "Refused.",
                challenge: Challenge(
                    .code(.init(length: 6)), pendingToken: answer?["token"]?.string.map { Secret($0) }))
        case "no-challenge": AuthError(.abandoned, "Refused.")
        case "expired": AuthError(.sessionExpired, "Refused.")
        case "revoked": AuthError(flaw == .callsARevocationTrouble ? .invalidResponse : .sessionExpired, "Refused.")
        case "disabled": AuthError(flaw == .callsADisabledUserExpired ? .sessionExpired : .userDisabled, "Refused.")
        case "too-old":
            AuthError(flaw == .callsAnOldSignInARefusal ? .accessDenied : .requiresRecentSignIn, "Refused.")
        case "in-use": AuthError(.credentialInUse, "Refused.")
        case "not-yours": AuthError(flaw == .callsAStrangersRevocationTrouble ? .server : .accessDenied, "Refused.")
        case "no-user": AuthError(flaw == .callsADeletedUserExpired ? .sessionExpired : .userNotFound, "Refused.")
        default:
            AuthError(
                .invalidResponse,
                flaw == .quotesTheServer ? "The server said: \(answer?["detail"]?.string ?? "")." : "Refused.")
        }
    }
}
