import AuthStreams
import AuthStreamsSupabase
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// Sessions and accounts at the emulated Supabase.
@Suite struct SupabaseAccountTests {
    // MARK: Sessions

    /// An answer was lost: Supabase takes the last token again, and gives the current one.
    @Test func theTokenBeforeTheCurrentIsTakenAgain() async throws {
        try await SupabaseVisit.run { visit in
            let first = try await visit.repository.signIn(with: visit.google())
            let second = try await visit.repository.refresh(first)
            visit.clock.advance(by: .seconds(86_400))
            let again = try await visit.repository.refresh(first)
            #expect(again.refreshToken == second.refreshToken && first.refreshToken != second.refreshToken)
            #expect(visit.repository.refreshTokenRule == .singleUse)
        }
    }

    @Test func anOlderTokenEndsTheSession() async throws {
        try await SupabaseVisit.run { visit in
            let first = try await visit.repository.signIn(with: visit.google())
            let third = try await visit.repository.refresh(try await visit.repository.refresh(first))
            // Within ten seconds it is one of several that refresh at the same time.
            #expect(try await visit.repository.refresh(first).refreshToken == third.refreshToken)
            visit.clock.advance(by: .seconds(11))
            let reuse = await error { () throws(AuthError) in try await visit.repository.refresh(first) }
            #expect(reuse?.code == .sessionExpired && reuse?.serverCode == "refresh_token_already_used")
            let over = await error { () throws(AuthError) in try await visit.repository.refresh(third) }
            #expect(over?.serverCode == "refresh_token_not_found")
            let used = await error { () throws(AuthError) in try await visit.repository.reload(third) }
            #expect(used?.code == .sessionExpired && used?.serverCode == "session_not_found")
        }
    }

    /// Supabase knows a session by its access token, which may have expired.
    @Test func aSignOutWithAnExpiredTokenEndsTheSession() async throws {
        try await SupabaseVisit.run { visit in
            let session = try await visit.repository.signIn(with: visit.google())
            visit.clock.advance(by: .seconds(3601))
            try await visit.repository.signOut(session)
            #expect(visit.supabase.sessionCount(of: session.user.id) == 0)
            try await visit.repository.signOut(session)
        }
    }

    @Test func aSignOutEndsThisSessionOrAll() async throws {
        try await SupabaseVisit.run { visit in
            let here = try await visit.repository.signIn(with: visit.google())
            let there = try await visit.repository.signIn(with: visit.google())
            try await visit.repository.signOut(here)
            #expect(visit.supabase.sessionCount(of: here.user.id) == 1)
            _ = try await visit.repository.signIn(with: visit.google())
            try await visit.repository.signOutEverywhere(there)
            #expect(visit.supabase.sessionCount(of: here.user.id) == 0)
        }
    }

    @Test func theSessionOfAnotherSDKIsAdopted() async throws {
        try await SupabaseVisit.run { visit in
            let session = try await visit.repository.signIn(with: visit.kakao())
            let token = try #require(session.refreshToken)
            let adopted = try await visit.repository.adopt(refreshToken: token)
            #expect(adopted.provider == .kakao && adopted.user.id == session.user.id)
            let guest = try #require(try await visit.repository.signInAnonymously().refreshToken)
            #expect(try await visit.repository.adopt(refreshToken: guest).provider == .anonymous)
        }
    }

    @Test func theFunctionDeletesTheAccount() async throws {
        try await SupabaseVisit.run { visit in
            _ = try await visit.auth.signIn(credential: visit.google()).value
            try await visit.auth.deleteAccount().value
            #expect(visit.supabase.userIDs.isEmpty && visit.auth.user == nil)
        }
    }

    // MARK: Identities

    @Test func anIdentityIsLinkedAndRemoved() async throws {
        try await SupabaseVisit.run { visit in
            let session = try await visit.repository.signIn(with: visit.google())
            let linked = try await visit.repository.link(visit.kakao(), to: session)
            #expect(linked.user.providers.map(\.id) == [.google, .kakao] && linked.provider == .google)
            // Linking one's own again is no error.
            #expect(try await visit.repository.link(visit.kakao(), to: linked).user == linked.user)
            let unlinked = try await visit.repository.unlink(.google, from: linked)
            #expect(unlinked.user.providers.map(\.id) == [.kakao])
            #expect(try await visit.repository.reload(unlinked).user.providers.map(\.id) == [.kakao])
            #expect(try await visit.repository.unlink(.google, from: unlinked).user.providers.map(\.id) == [.kakao])
            let last = await error { () throws(AuthError) in
                try await visit.repository.unlink(.kakao, from: unlinked)
            }
            #expect(last?.code == .lastProvider)
        }
    }

    @Test func anothersIdentityIsAConflict() async throws {
        try await SupabaseVisit.run { visit in
            let other = try await visit.repository.signIn(with: visit.kakao())
            let session = try await visit.repository.signIn(with: visit.google())
            let refusal = await error { () throws(AuthError) in
                try await visit.repository.link(visit.kakao(), to: session)
            }
            #expect(refusal?.code == .credentialInUse)
            let credential = try #require(refusal?.conflict?.credential)
            #expect(try await visit.repository.signIn(with: credential).user.id == other.user.id)
        }
    }

    /// Linking begins a session of the first level. One of the second keeps its tokens.
    @Test func aLinkKeepsTheSecondFactor() async throws {
        try await SupabaseVisit.run { visit in
            let user = try await visit.repository.signIn(with: visit.google()).user
            let app = try #require(visit.supabase.enrollAuthenticatorApp(for: user.id))
            let challenge = try await visit.challenge { () throws(AuthError) in
                try await visit.repository.signIn(with: visit.google())
            }
            let code = Secret(app.code(at: visit.now))
            let session = try await visit.repository.answer(challenge, with: .code(code), in: nil)
            let linked = try await visit.repository.link(visit.kakao(), to: session)
            #expect(linked.user.providers.map(\.id) == [.google, .kakao])
            #expect(linked.accessToken == session.accessToken && visit.supabase.sessionCount(of: user.id) == 1)
        }
    }

    /// Supabase would make a user of an unknown identity.
    @Test func aForeignCredentialConfirmsNothing() async throws {
        try await SupabaseVisit.run { visit in
            let session = try await visit.repository.signIn(with: visit.google())
            _ = try await visit.repository.signUp(with: .password(email: "alex@example.com", "correct horse"))
            for credential in [visit.google("2002"), .password(email: "alex@example.com", "correct horse")] {
                let refusal = await error { () throws(AuthError) in
                    try await visit.repository.reauthenticate(session, with: credential)
                }
                #expect(refusal?.code == .credentialInUse)
            }
            let other = try #require(visit.supabase.userIDs.last)
            // Their own sign-up's session, and none of the re-authentication.
            #expect(visit.supabase.userIDs.count == 2 && visit.supabase.sessionCount(of: other) == 1)
            visit.supabase.ban(other)
            let banned = await error { () throws(AuthError) in
                try await visit.repository.reauthenticate(
                    session, with: .password(email: "alex@example.com", "correct horse"))
            }
            #expect(banned?.code == .invalidCredential && banned?.classification.sessionEnd == nil)
            #expect(try await visit.repository.reauthenticate(session, with: visit.google()).user.id == session.user.id)
        }
    }

    @Test func aCodeConfirmsTheIdentity() async throws {
        try await SupabaseVisit.run { visit in
            let session = try await visit.repository.signIn(with: visit.google())
            let challenge = try await visit.challenge { () throws(AuthError) in
                try await visit.repository.reauthenticate(session, with: .code(to: SupabaseVisit.address))
            }
            let code = try visit.lastCode
            let proven = try await visit.repository.answer(challenge, with: .code(code), in: session)
            #expect(proven.user.id == session.user.id && proven.accessToken != session.accessToken)
        }
    }

    // MARK: Passwords

    @Test func aNewPasswordEndsOtherSessions() async throws {
        try await SupabaseVisit.run { visit in
            let there = try await visit.repository.signUp(with: SupabaseVisit.password)
            let here = try await visit.repository.signIn(with: SupabaseVisit.password)
            let changed = try await visit.repository.apply(.setPassword(Secret("another horse")), to: here)
            #expect(changed.accessToken == here.accessToken && visit.supabase.sessionCount(of: here.user.id) == 1)
            let over = await error { () throws(AuthError) in try await visit.repository.refresh(there) }
            #expect(over?.code == .sessionExpired)
            let same = await error { () throws(AuthError) in
                try await visit.repository.apply(.setPassword(Secret("another horse")), to: here)
            }
            #expect(same?.code == .invalidInput && same?.serverCode == "same_password")
            _ = try await visit.repository.signIn(with: .password(email: SupabaseVisit.address, "another horse"))
        }
    }

    @Test func anOldSessionEntersTheCodeOfAMail() async throws {
        let rules = SupabaseVisit.Rules {
            $0.confirmsEmail = false
            $0.requiresReauthentication = true
        }
        try await SupabaseVisit.run(rules) { visit in
            _ = try await visit.auth.signUp(credential: SupabaseVisit.password).value
            visit.clock.advance(by: .seconds(86_401))
            var view = PromptView(visit.auth)
            let change = Task { [auth = visit.auth] in try await auth.changePassword(to: "another horse").value }
            let prompt = try #require(await view.prompt())
            #expect(prompt.code?.destination == SupabaseVisit.address)
            prompt.code?.submit(try visit.wrongCode)
            let again = try #require(await view.prompt())
            #expect(again.failure?.code == .codeMismatch && again.failure?.serverCode == "reauthentication_not_valid")
            again.code?.submit(try visit.lastCode.reveal())
            _ = try await change.value
            _ = try await visit.repository.signIn(with: .password(email: SupabaseVisit.address, "another horse"))
        }
    }

    @Test func theCurrentPasswordIsAskedFor() async throws {
        let rules = SupabaseVisit.Rules {
            $0.confirmsEmail = false
            $0.requiresCurrentPassword = true
        }
        try await SupabaseVisit.run(rules) { visit in
            let session = try await visit.repository.signUp(with: SupabaseVisit.password)
            let challenge = try await visit.challenge { () throws(AuthError) in
                try await visit.repository.apply(.setPassword(Secret("another horse")), to: session)
            }
            guard case .form(let fields) = challenge.step, let field = fields.first else {
                throw AuthError(.unexpected, "The challenge is no form.")
            }
            let wrong = await error { () throws(AuthError) in
                try await visit.repository.answer(challenge, with: .form([field.id: Secret("wrong")]), in: session)
            }
            #expect(wrong?.code == .invalidInput && wrong?.challenge == challenge)
            _ = try await visit.repository.answer(
                challenge, with: .form([field.id: Secret("correct horse")]), in: session)
            _ = try await visit.repository.signIn(with: .password(email: SupabaseVisit.address, "another horse"))
        }
    }

    /// The code is used when Supabase asks for the password, and a new sign-in makes it unnecessary.
    @Test func anOldSessionEntersTheCurrentPasswordAfterANewSignIn() async throws {
        let rules = SupabaseVisit.Rules {
            $0.confirmsEmail = false
            $0.requiresReauthentication = true
            $0.requiresCurrentPassword = true
        }
        try await SupabaseVisit.run(rules) { visit in
            _ = try await visit.auth.signUp(credential: SupabaseVisit.password).value
            visit.clock.advance(by: .seconds(86_401))
            var view = PromptView(visit.auth)
            let change = Task { [auth = visit.auth] in try await auth.changePassword(to: "another horse").value }
            try #require(await view.prompt()?.code).submit(try visit.lastCode.reveal())
            let signIn = try #require(await view.prompt()?.form)
            #expect(signIn.fields.map(\.id) == ["password"])
            signIn.submit(["password": "correct horse"])
            let current = try #require(await view.prompt()?.form)
            #expect(current.fields.map(\.id) == ["currentPassword"])
            current.submit(["currentPassword": "correct horse"])
            _ = try await change.value
            _ = try await visit.repository.signIn(with: .password(email: SupabaseVisit.address, "another horse"))
        }
    }

    @Test func mailsAreSent() async throws {
        try await SupabaseVisit.run { visit in
            try await visit.auth.sendPasswordReset(to: "unknown@example.com")
            #expect(visit.supabase.messages.isEmpty)
            _ = try await visit.repository.signUp(with: SupabaseVisit.password)
            try await visit.auth.sendPasswordReset(to: SupabaseVisit.address)
            #expect(visit.supabase.messages.map(\.kind) == [.passwordReset])
            let soon = await #expect(throws: AuthError.self) {
                try await visit.auth.sendPasswordReset(to: SupabaseVisit.address)
            }
            #expect(soon?.code == .rateLimited && soon?.retryAfter == .seconds(60))
        }
    }

    /// The messages that a person reads, on a page of the emulator.
    @Test func thePageListsTheMessages() async throws {
        try await SupabaseVisit.run { visit in
            _ = await error { () throws(AuthError) in
                try await visit.repository.signIn(with: .code(to: SupabaseVisit.address))
            }
            let url = visit.backend.emulator.url(for: "https://authstreams.supabase.co/emulator/messages")
            let page = try await visit.backend.transport.send(AuthHTTPRequest(.get, url))
            #expect(String(decoding: page.body, as: UTF8.self).contains(try visit.lastCode.reveal()))
        }
    }

    /// Before the version of the header an error has other names.
    @Test func anOlderAPIHasOtherNames() async throws {
        try await SupabaseVisit.run { visit in
            let url = visit.backend.emulator.url(for: "https://authstreams.supabase.co/auth/v1/user")
            let headers: [HeaderName: String] = ["apikey": visit.backend.emulator.configuration.supabase.key]
            let old = try await visit.backend.transport.send(AuthHTTPRequest(.get, url, headers: headers))
            #expect(old.status == 401 && old.json?["error_code"] == "no_authorization" && old.json?["code"] == 401)
            let version: [HeaderName: String] = ["x-supabase-api-version": "2024-01-01"]
            let new = try await visit.backend.transport.send(
                AuthHTTPRequest(.get, url, headers: headers.merging(version) { $1 }))
            #expect(new.json?["code"] == "no_authorization" && new.headers["x-supabase-api-version"] == "2024-01-01")
        }
    }
}
