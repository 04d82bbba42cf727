import AuthStreams
import AuthStreamsOAuth
import AuthStreamsSupabase
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// Sign-ins at the emulated Supabase: ID tokens, passwords, codes and links.
@Suite struct SupabaseSignInTests {
    // MARK: ID tokens

    /// The use cases tell the providers to ask for a hashed nonce: without it Supabase refuses the ID tokens of Google and Kakao.
    @Test(arguments: [ProviderID.apple, .google, .kakao], [true, false]) @MainActor
    func theProvidersAskForAHashedNonce(_ provider: ProviderID, hasKakaoTalk: Bool) async throws {
        try await withEmulator { emulator in
            let phone = SupabasePhone(at: emulator, hasKakaoTalk: hasKakaoTalk)
            let user = try await phone.auth.signIn(with: provider).value.user
            #expect(user.providers.map(\.id) == [provider])
            #expect(try await phone.auth.reauthenticate(with: provider).value.id == user.id)
            let other: ProviderID = provider == .google ? .kakao : .google
            #expect(try await phone.auth.link(with: other).value.providers.map(\.id) == [provider, other])
            let refusal = await #expect(throws: AuthError.self) { try await phone.auth.link(with: .naver).value }
            #expect(refusal?.code == .unsupportedProvider)
        }
    }

    @Test(arguments: [true, false]) func aChainMadeByHandAsksForAHashedNonce(_ hashes: Bool) async throws {
        try await SupabaseVisit.run { visit in
            #expect(visit.repository.hashesNonce(of: .kakao))
            let credential = try await EmulatedCredentials(at: visit.backend.emulator)
                .get(\.google, hashingNonce: hashes)
            let refusal = await error { () throws(AuthError) in try await visit.repository.signIn(with: credential) }
            #expect(refusal?.code == (hashes ? nil : .invalidCredential))
        }
    }

    @Test func theTokenSaysWhoSignedIn() async throws {
        try await SupabaseVisit.run { visit in
            let session = try await visit.repository.signIn(with: visit.google())
            let claims = try visit.claims(session)
            #expect(
                claims["sub"]?.string == session.user.id && claims["aal"] == "aal1" && claims["role"] == "authenticated"
            )
            #expect(claims["amr"]?.array?.first?["method"] == "oauth" && claims["is_anonymous"] == false)
            #expect(claims["session_id"]?.text != nil && session.expiresAt == visit.now.addingTimeInterval(3600))
            #expect(session.user.email == "minji@example.com" && session.user.isEmailVerified)
        }
    }

    @Test(arguments: ["nonce", "absent nonce", "audience", "signature", "access token", "key"])
    func aForeignIDTokenIsRefused(_ fault: String) async throws {
        try await SupabaseVisit.run { visit in
            var credential = visit.google()
            var repository = visit.repository
            switch fault {
            // Google's usual token repeats the nonce as it is.
            case "nonce": credential = visit.google("1001", ["nonce": .string("nonce-1")])
            case "absent nonce": credential.rawNonce = nil
            case "audience": credential = visit.google("1001", ["aud": "another-app"])
            case "signature":
                credential.idToken = Secret(visit.backend.googleToken(host: "accounts.google.example"))
            case "access token":
                credential = visit.google("1001", ["at_hash": "AAAAAAAAAAAAAAAAAAAAAA"])
                credential.accessToken = Secret("another")
            default:
                var project = visit.backend.emulator.configuration.supabase
                project.key = "another"
                repository = .emulated(
                    at: visit.backend.emulator.baseURL, project: project, transport: visit.backend.transport)
            }
            let refusal = await error { [credential, repository] () throws(AuthError) in
                try await repository.signIn(with: credential)
            }
            #expect(refusal?.code == (fault == "key" ? .misconfigured : .invalidCredential))
            #expect(visit.supabase.userIDs.isEmpty)
        }
    }

    @Test func aVerifiedAddressIsTheSameUser() async throws {
        try await SupabaseVisit.run { visit in
            let first = try await visit.repository.signUp(with: SupabaseVisit.password)
            let second = try await visit.repository.signIn(with: visit.google())
            #expect(first.user.id == second.user.id)
            #expect(second.user.providers.map(\.id) == [.password, .google])
        }
    }

    @Test func aUserWithoutAddressNeedsTheProjectsLeave() async throws {
        for isAllowed in [false, true] {
            try await SupabaseVisit.run(.init { $0.allowsUsersWithoutEmail = isAllowed }) { visit in
                let credential = visit.google("1001", ["email": .null, "email_verified": .null])
                let refusal = await error { () throws(AuthError) in
                    try await visit.repository.signIn(with: credential)
                }
                #expect(refusal?.serverCode == (isAllowed ? nil : "provider_email_needs_verification"))
                #expect(refusal?.code == (isAllowed ? nil : .verificationRequired))
            }
        }
    }

    /// Apple gives the name once, beside the token.
    @Test func aNameBesideTheTokenIsStored() async throws {
        try await SupabaseVisit.run { visit in
            var credential = visit.google()
            credential.profile = .init(name: PersonName(givenName: "민지", familyName: "김"))
            let session = try await visit.repository.signIn(with: credential)
            #expect(session.user.displayName == "김민지")
            #expect(try await visit.repository.reload(session).user.displayName == "김민지")
        }
    }

    // MARK: Passwords

    @Test func aPasswordSignsUpAndIn() async throws {
        try await SupabaseVisit.run { visit in
            let user = try await visit.auth.signUp(credential: SupabaseVisit.password).value.user
            #expect(user.providers.map(\.id) == [.password] && user.isEmailVerified)
            try await visit.auth.signOut()
            #expect(try await visit.auth.signIn(credential: SupabaseVisit.password).value.user.id == user.id)
            let wrong = await error { () throws(AuthError) in
                try await visit.repository.signIn(with: .password(email: SupabaseVisit.address, "wrong"))
            }
            let unknown = await error { () throws(AuthError) in
                try await visit.repository.signIn(with: .password(email: "unknown@example.com", "wrong"))
            }
            #expect(wrong?.code == .invalidCredential && wrong == unknown)
            let again = await error { () throws(AuthError) in
                try await visit.repository.signUp(with: SupabaseVisit.password)
            }
            #expect(again?.code == .accountExists && again?.serverCode == "user_already_exists")
            let weak = await error { () throws(AuthError) in
                try await visit.repository.signUp(with: .password(email: "a@b.example", "12345"))
            }
            #expect(weak?.code == .invalidInput && weak?.explanation.contains("too short") == true)
        }
    }

    @Test func aSignUpIsConfirmedByTheCodeOfItsMail() async throws {
        try await SupabaseVisit.run(.confirming) { visit in
            var view = PromptView(visit.auth)
            let attempt = Task { [auth = visit.auth] in try await auth.signUp(credential: SupabaseVisit.password).value
            }
            let prompt = try #require(await view.prompt())
            #expect(prompt.code?.destination == SupabaseVisit.address && visit.auth.user == nil)
            let early = await error { () throws(AuthError) in
                try await visit.repository.signIn(with: SupabaseVisit.password)
            }
            #expect(early?.code == .verificationRequired && early?.challenge == nil)
            prompt.code?.submit(try visit.wrongCode)
            let again = try #require(await view.prompt())
            #expect(again.failure?.code == .codeMismatch && again.failure?.serverCode == "otp_expired")
            visit.clock.advance(by: .seconds(60))
            again.code?.resend()
            let third = try #require(await view.prompt())
            #expect(third.failure == nil && visit.supabase.messages.count == 2)
            third.code?.submit(try visit.lastCode.reveal())
            let result = try await attempt.value
            #expect(result.isNewUser && result.user.isEmailVerified && visit.auth.user == result.user)
        }
    }

    /// Supabase answers with a made-up user, so that the answer does not tell who has an account.
    @Test func aMadeUpUserIsAnAccountThatExists() async throws {
        try await SupabaseVisit.run(.confirming) { visit in
            _ = try await visit.repository.signIn(with: visit.google())
            let refusal = await error { () throws(AuthError) in
                try await visit.repository.signUp(with: SupabaseVisit.password)
            }
            #expect(refusal?.code == .accountExists && visit.supabase.messages.isEmpty)
        }
    }

    // MARK: Codes and links

    @Test(arguments: ["minji@example.com", "+82 10-1234-5678".replacing("-", with: " ")])
    func aCodeSignsIn(_ address: String) async throws {
        try await SupabaseVisit.run { visit in
            var users: Set<String> = []
            for _ in 1...2 {
                let challenge = try await visit.challenge { () throws(AuthError) in
                    try await visit.repository.signIn(with: .code(to: address))
                }
                #expect(challenge.kind == .code)
                let wrong = Secret(try visit.wrongCode)
                let refusal = await error { () throws(AuthError) in
                    try await visit.repository.answer(challenge, with: .code(wrong), in: nil)
                }
                #expect(refusal?.code == .codeMismatch && refusal?.challenge == challenge)
                visit.clock.advance(by: .seconds(60))
                let sent = visit.supabase.messages.count
                let another = await error { () throws(AuthError) in
                    try await visit.repository.answer(challenge, with: .resend, in: nil)
                }
                #expect(another?.challenge == challenge && visit.supabase.messages.count == sent + 1)
                let code = try visit.lastCode
                let session = try await visit.repository.answer(challenge, with: .code(code), in: nil)
                #expect(session.provider == .code)
                users.insert(session.user.id)
                let used = await error { () throws(AuthError) in
                    try await visit.repository.answer(challenge, with: .code(code), in: nil)
                }
                #expect(used?.code == .codeMismatch)
            }
            #expect(users.count == 1)
        }
    }

    @Test func aCodeIsOld() async throws {
        try await SupabaseVisit.run { visit in
            let challenge = try await visit.challenge { () throws(AuthError) in
                try await visit.repository.signIn(with: .code(to: SupabaseVisit.address))
            }
            let early = await error { () throws(AuthError) in
                try await visit.repository.answer(challenge, with: .resend, in: nil)
            }
            #expect(early?.code == .rateLimited && early?.retryAfter == .seconds(60) && early?.challenge == nil)
            visit.clock.advance(by: .seconds(3601))
            let code = try visit.lastCode
            let refusal = await error { () throws(AuthError) in
                try await visit.repository.answer(challenge, with: .code(code), in: nil)
            }
            #expect(refusal?.code == .codeMismatch)
        }
    }

    @Test func aLinkOpensTheApp() async throws {
        try await SupabaseVisit.run { visit in
            let attempt = Task { [auth = visit.auth] in
                try await auth.signIn(with: .emailLink, AuthRequest(loginHint: SupabaseVisit.address)).value
            }
            for await state in visit.auth.states where state == .signingIn(.emailLink, .waitingForAnswer) { break }
            let link = try #require(visit.supabase.messages.last?.link)
            #expect(visit.auth.handle(link))
            let user = try await attempt.value.user
            #expect(user.email == SupabaseVisit.address && user.isEmailVerified)
        }
    }

    /// A link that another person has sent signs in to their account.
    @Test func aLinkToAnotherAddressIsRefused() async throws {
        try await SupabaseVisit.run { visit in
            _ = try await visit.repository.prepare(
                .emailLink(to: "mallory@example.com", continueURL: URL(literal: "https://app.example/link")), in: nil)
            let link = try #require(visit.supabase.messages.last?.link)
            let code = try #require(
                URLComponents(url: link, resolvingAgainstBaseURL: true)?.queryItems?.first { $0.name == "code" }?.value)
            var credential = Credential(provider: .emailLink, authorizationCode: .init(code: Secret(code)))
            credential.address = SupabaseVisit.address
            let refusal = await error { [credential] () throws(AuthError) in
                try await visit.repository.signIn(with: credential)
            }
            #expect(refusal?.code == .invalidCredential)
            let id = try #require(visit.supabase.userIDs.first)
            #expect(visit.supabase.sessionCount(of: id) == 0)
        }
    }

    @Test func anAnonymousUserGetsAnAddress() async throws {
        try await SupabaseVisit.run(.confirming) { visit in
            let guest = try await visit.repository.signInAnonymously()
            #expect(guest.user.isAnonymous && guest.user.providers.isEmpty)
            #expect(try visit.claims(guest)["is_anonymous"] == true)
            let challenge = try await visit.challenge { () throws(AuthError) in
                try await visit.repository.link(SupabaseVisit.password, to: guest)
            }
            let code = try visit.lastCode
            let session = try await visit.repository.answer(challenge, with: .code(code), in: guest)
            #expect(session.user.id == guest.user.id && !session.user.isAnonymous && session.provider == .password)
            #expect(try visit.claims(session)["is_anonymous"] == false)
            #expect(try await visit.repository.signIn(with: SupabaseVisit.password).user.id == guest.user.id)
        }
    }
}

/// A phone with an app at the emulated Supabase, and the providers' apps and pages.
@MainActor
private struct SupabasePhone {
    let auth: AuthService

    init(at emulator: Emulator, hasKakaoTalk: Bool) {
        let transport = EmulatorTransport.untimed(to: emulator)
        let callbacks = CallbackRouter()
        let browser = ScriptedBrowser(.approve, transport: transport) { callbacks.handle($0) }
        let apps = EmulatedApps(emulator: emulator.baseURL, transport: transport, next: browser) {
            callbacks.handle($0)
        }
        let providers = EmulatedProviders(
            at: emulator.baseURL, apps: emulator.configuration, opener: hasKakaoTalk ? apps : browser,
            callbacks: callbacks, googleRedirect: .reversedClientID, transport: transport)
        auth = AuthService(
            repository: SupabaseRepository.emulated(at: emulator.baseURL, transport: transport),
            providers: providers.all, store: MemorySessionStore(), callbacks: callbacks)
    }
}
