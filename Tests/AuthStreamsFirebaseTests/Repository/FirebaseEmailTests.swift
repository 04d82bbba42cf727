import AuthStreams
import AuthStreamsFirebase
import Foundation
import TestSupport
import Testing

/// Passwords and mail links: each request as it is sent, and each answer.
@Suite struct FirebaseEmailTests {
    private static let password = "pass+word/secret"
    private static let mailCode = "mail+code/secret"
    private static let passwordCredential = Credential.password(email: "a@b.example", password)
    private static var linkCredential: Credential {
        var credential = Credential(
            provider: .emailLink, authorizationCode: .init(code: Secret(mailCode)), isBound: true)
        credential.address = "a@b.example"
        return credential
    }

    private func repository(_ transport: any AuthHTTPTransport, bundleID: String? = nil) -> FirebaseRepository {
        var project = Fixture.project
        project.bundleID = bundleID
        return FirebaseRepository(project: project, transport: transport, clock: Fixture.clock)
    }

    private static func account(_ more: String = "") -> AuthHTTPResponse {
        .json(
            #"{"users":[{"localId":"uid-1","email":"a@b.example","providerUserInfo":[{"providerId":"password"}]\#(more)}]}"#
        )
    }

    @Test func passwordsAndMailLinksNeedNoRoute() {
        let repository = repository(ScriptedTransport())
        #expect(repository.accepts(.password) && repository.accepts(.emailLink))
        #expect(!repository.accepts(.code) && !repository.accepts("line"))
    }

    // MARK: Passwords

    @Test func aPasswordSignsIn() async throws {
        let transport = ScriptedTransport(Fixture.signedIn(#","registered":true"#), Self.account())
        let session = try await repository(transport).signIn(with: Self.passwordCredential)
        #expect(session.user.id == "uid-1" && session.provider == .password && !session.isNewUser)
        #expect(transport.requests.map { $0.url.path } == ["/v1/accounts:signInWithPassword", "/v1/accounts:lookup"])
        #expect(
            transport.requests[0].json
                == ["email": "a@b.example", "password": .string(Self.password), "returnSecureToken": true])
    }

    @Test func aSignUpMakesANewUser() async throws {
        let transport = ScriptedTransport(Fixture.signedIn(), Self.account())
        let session = try await repository(transport).signUp(with: Self.passwordCredential)
        #expect(session.isNewUser && session.provider == .password)
        #expect(transport.requests[0].url.path == "/v1/accounts:signUp")
        #expect(
            transport.requests[0].json
                == ["email": "a@b.example", "password": .string(Self.password), "returnSecureToken": true])
    }

    /// The account is made, and a second sign-up would be told that it exists.
    @Test(arguments: [429, 503]) func aLookUpThatFailsKeepsTheSignUp(status: Int) async throws {
        let token = Fixture.idToken([
            "email": "a@b.example", "email_verified": false, "name": "Minji",
            "firebase": [
                "sign_in_provider": "password",
                "identities": ["email": ["a@b.example"], "google.com": ["g-1"], "phone": ["+1"]],
            ],
        ])
        let transport = ScriptedTransport(Fixture.signedIn(idToken: token), .json("{}", status: status))
        let session = try await repository(transport).signUp(with: Self.passwordCredential)
        #expect(session.isNewUser && session.accessToken == Secret(token) && session.provider == .password)
        let user = AuthUser(
            id: "uid-1", email: "a@b.example", displayName: "Minji",
            providers: [.init(id: .password, email: "a@b.example"), .init(id: .google, userID: "g-1")])
        #expect(session.user == user)
    }

    @Test func aLookUpThatSaysTheUserIsDisabledEndsTheSignUp() async throws {
        let transport = ScriptedTransport(Fixture.signedIn(), Self.account(#","disabled":true"#))
        let error = try await failure { () throws(AuthError) in
            try await repository(transport).signUp(with: Self.passwordCredential)
        }
        #expect(error.code == .userDisabled)
    }

    @Test(arguments: ["INVALID_LOGIN_CREDENTIALS", "INVALID_PASSWORD", "EMAIL_NOT_FOUND"])
    func aWrongAddressAndAWrongPasswordAreOneError(word: String) async throws {
        let error = try await refusal(word) { try await $0.signIn(with: Self.passwordCredential) }
        let other = try await refusal("INVALID_PASSWORD") { try await $0.signIn(with: Self.passwordCredential) }
        #expect(error == other)
        #expect(error.code == .invalidCredential && error.classification.sessionEnd == nil)
    }

    /// The prompt for a password is shown again after `invalidCredential` alone.
    @Test(arguments: ["INVALID_EMAIL", "MISSING_PASSWORD", "MISSING_EMAIL"])
    func whatCannotBeRightIsWrong(word: String) async throws {
        let error = try await refusal(word) { try await $0.signIn(with: Self.passwordCredential) }
        #expect(error.code == .invalidCredential && error.serverCode == word)
        let signUp = try await refusal(word) { try await $0.signUp(with: Self.passwordCredential) }
        #expect(signUp.code == .invalidInput && signUp.serverCode == word)
    }

    @Test func anAddressThatIsTakenIsAConflictWithoutACredential() async throws {
        let error = try await refusal("EMAIL_EXISTS") { try await $0.signUp(with: Self.passwordCredential) }
        #expect(error.code == .accountExists)
        #expect(error.conflict == AuthConflict(email: "a@b.example"))
        let link = try await refusal("EMAIL_EXISTS") {
            try await $0.link(Self.passwordCredential, to: Fixture.session)
        }
        #expect(link.code == .accountExists && link.conflict?.email == "a@b.example")
    }

    @Test func onlyPasswordsHaveASignUp() async throws {
        for credential in [Fixture.google, Fixture.kakao, Self.linkCredential] {
            let repository = repository(ScriptedTransport())
            let error = try await failure { () throws(AuthError) in try await repository.signUp(with: credential) }
            #expect(error.code == .unsupportedProvider)
        }
    }

    @Test func whatIsIncompleteIsNotSent() async throws {
        var noAddress = Self.passwordCredential
        noAddress.address = nil
        var noCode = Self.linkCredential
        noCode.authorizationCode = nil
        var otherProof = Self.passwordCredential
        otherProof.provider = .emailLink
        for credential in [noAddress, noCode, otherProof] {
            let repository = repository(ScriptedTransport())
            let error = try await failure { () throws(AuthError) in try await repository.signIn(with: credential) }
            #expect(error.code == .invalidCredential)
        }
    }

    @Test func aPasswordIsLinkedByTheIDToken() async throws {
        let transport = ScriptedTransport(Fixture.signedIn(), Self.account())
        var anonymous = Fixture.session
        anonymous.provider = .anonymous
        let linked = try await repository(transport).link(Self.passwordCredential, to: anonymous)
        #expect(linked.provider == .password && linked.user.providers.map(\.id) == [.password] && !linked.isNewUser)
        #expect(transport.requests[0].url.path == "/v1/accounts:signUp")
        #expect(transport.requests[0].json?["idToken"]?.string == anonymous.accessToken.reveal())
    }

    @Test func aReauthenticationKeepsNothingOfAnotherUser() async throws {
        let transport = ScriptedTransport(Fixture.signedIn(), Self.account())
        let fresh = try await repository(transport).reauthenticate(Fixture.session, with: Self.passwordCredential)
        #expect(fresh.provider == .password && fresh.user.id == "uid-1")
        let another = ScriptedTransport(Fixture.signedIn(idToken: Fixture.idToken(of: "uid-2"), user: "uid-2"))
        let repository = repository(another)
        let error = try await failure { () throws(AuthError) in
            try await repository.reauthenticate(Fixture.session, with: Self.passwordCredential)
        }
        #expect(error.code == .credentialInUse && error.conflict?.credential == nil)
        #expect(another.requests.count == 1)
    }

    @Test func aChangeOfThePasswordKeepsItsTokensWhateverTheLookUpSays() async throws {
        let token = Fixture.idToken(["auth_time": 1_800_000_000])
        let answer = Fixture.signedIn(idToken: token)
        let transport = ScriptedTransport(answer, Self.account())
        let changed = try await repository(transport).apply(.setPassword(Secret(Self.password)), to: Fixture.session)
        #expect(changed.accessToken == Secret(token) && changed.user.providers.map(\.id) == [.password])
        #expect(changed.provider == Fixture.session.provider)
        #expect(transport.requests[0].url.path == "/v1/accounts:update")
        #expect(transport.requests[0].json?["password"]?.string == Self.password)
        for failure in [AuthHTTPResponse.html(status: 503), .refusal("USER_DISABLED")] {
            let kept = try await repository(ScriptedTransport(answer, failure))
                .apply(.setPassword(Secret(Self.password)), to: Fixture.session)
            #expect(kept.accessToken == Secret(token) && kept.refreshToken == Secret(Fixture.refreshToken))
        }
    }

    @Test(arguments: [
        ("CREDENTIAL_TOO_OLD_LOGIN_AGAIN", AuthError.Code.requiresRecentSignIn), ("TOKEN_EXPIRED", .invalidCredential),
        ("WEAK_PASSWORD : Password should be at least 6 characters", .invalidInput),
    ])
    func aChangeOfThePasswordMayBeRefused(message: String, code: AuthError.Code) async throws {
        let error = try await refusal(message) {
            try await $0.apply(.setPassword(Secret(Self.password)), to: Fixture.session)
        }
        #expect(error.code == code && error.classification.refusesAccessToken == (code == .invalidCredential))
    }

    // MARK: Mails

    @Test func eachMailIsAskedForWithItsMembers() async throws {
        let answer = AuthHTTPResponse.json(#"{"email":"a@b.example"}"#)
        let transport = ScriptedTransport(answer, answer, answer, answer)
        let repository = repository(transport, bundleID: "com.example.app")
        _ = try await repository.prepare(.passwordReset(to: "a@b.example"), in: nil)
        _ = try await repository.prepare(.emailVerification, in: Fixture.session)
        let url = try #require(URL(string: "https://app.example/link?x=1"))
        #expect(try await repository.prepare(.emailLink(to: "a@b.example", continueURL: url), in: nil) == .null)
        #expect(transport.requests.allSatisfy { $0.url.path == "/v1/accounts:sendOobCode" })
        #expect(transport.requests[0].json == ["requestType": "PASSWORD_RESET", "email": "a@b.example"])
        #expect(
            transport.requests[1].json
                == ["requestType": "VERIFY_EMAIL", "idToken": .string(Fixture.session.accessToken.reveal())])
        let link: AuthJSON = [
            "requestType": "EMAIL_SIGNIN", "email": "a@b.example", "canHandleCodeInApp": true,
            "continueUrl": "https://app.example/link?x=1", "iOSBundleId": "com.example.app",
        ]
        #expect(transport.requests[2].json == link)
        _ = try await self.repository(transport).prepare(.emailLink(to: "a@b.example", continueURL: url), in: nil)
        #expect(transport.requests[3].json?["iOSBundleId"] == nil)
    }

    @Test func anAddressWithoutAnAccountIsToldByNoReset() async throws {
        let transport = ScriptedTransport(.refusal("EMAIL_NOT_FOUND"))
        _ = try await repository(transport).prepare(.passwordReset(to: "a@b.example"), in: nil)
        let error = try await refusal("INVALID_EMAIL") { try await $0.prepare(.passwordReset(to: "a"), in: nil) }
        #expect(error.code == .invalidInput)
    }

    @Test func aVerificationWithoutAValidTokenEndsNoSession() async throws {
        let error = try await refusal("INVALID_ID_TOKEN") {
            try await $0.prepare(.emailVerification, in: Fixture.session)
        }
        #expect(error.code == .invalidCredential && error.classification.refusesAccessToken)
    }

    @Test(arguments: ["UNAUTHORIZED_DOMAIN", "INVALID_CONTINUE_URI", "MISSING_CONTINUE_URI", "OPERATION_NOT_ALLOWED"])
    func aLinkThatTheProjectDoesNotAllowIsAMisconfiguration(word: String) async throws {
        let url = try #require(URL(string: "https://app.example"))
        let error = try await refusal(word) {
            try await $0.prepare(.emailLink(to: "a@b.example", continueURL: url), in: nil)
        }
        #expect(error.code == .misconfigured && error.provider == .emailLink)
    }

    // MARK: Mail links

    @Test func aMailLinkSignsInAndLinks() async throws {
        let new = Fixture.signedIn(#","isNewUser":true"#)
        let transport = ScriptedTransport(new, Self.account(#","emailLinkSignin":true"#))
        let session = try await repository(transport).signIn(with: Self.linkCredential)
        #expect(session.provider == .emailLink && session.isNewUser)
        #expect(session.user.providers.map(\.id) == [.emailLink])
        #expect(transport.requests[0].url.path == "/v1/accounts:signInWithEmailLink")
        #expect(transport.requests[0].json == ["email": "a@b.example", "oobCode": .string(Self.mailCode)])

        let linking = ScriptedTransport(
            Fixture.signedIn(), Self.account(#","emailLinkSignin":true,"passwordHash":"x""#))
        let linked = try await repository(linking).link(Self.linkCredential, to: Fixture.session)
        #expect(linked.provider == .kakao && linked.user.providers.map(\.id) == [.password, .emailLink])
        #expect(linking.requests[0].json?["idToken"]?.string == Fixture.session.accessToken.reveal())
    }

    @Test(arguments: [
        ("EXPIRED_OOB_CODE", "Send another mail"), ("INVALID_OOB_CODE", "Send another mail"),
        ("INVALID_EMAIL : not the sign-in email", "another address"),
    ])
    func aLinkThatIsNotValidIsACredentialThatIsNotValid(message: String, words: String) async throws {
        let error = try await refusal(message) { try await $0.signIn(with: Self.linkCredential) }
        #expect(error.code == .invalidCredential && error.explanation.contains(words))
    }

    /// It would make a user of that address.
    @Test func aLinkToAnotherAddressReauthenticatesNoUser() async throws {
        var session = Fixture.session
        session.user.email = "c@b.example"
        let strict = repository(ScriptedTransport())
        let error = try await failure { [session] () throws(AuthError) in
            try await strict.reauthenticate(session, with: Self.linkCredential)
        }
        #expect(error.code == .credentialInUse)
        session.user.email = "A@B.example"
        let transport = ScriptedTransport(Fixture.signedIn(), Self.account(#","emailLinkSignin":true"#))
        let fresh = try await repository(transport).reauthenticate(session, with: Self.linkCredential)
        #expect(fresh.provider == .emailLink)
        #expect(transport.requests[0].json?["idToken"] == nil)
    }

    /// Firebase removes both with its provider `password`.
    @Test(arguments: [ProviderID.password, .emailLink])
    func aPasswordAndMailLinksAreOneIdentity(provider: ProviderID) async throws {
        let both = Self.account(#","emailLinkSignin":true,"passwordHash":"x""#)
        let last = repository(ScriptedTransport(both))
        let error = try await failure { () throws(AuthError) in
            try await last.unlink(provider, from: Fixture.session)
        }
        #expect(error.code == .lastProvider)
        let more =
            #"{"users":[{"localId":"uid-1","emailLinkSignin":true,"providerUserInfo":[{"providerId":"password"},"#
            + #"{"providerId":"google.com"}]}]}"#
        let transport = ScriptedTransport(.json(more), .json(#"{"localId":"uid-1"}"#))
        let unlinked = try await repository(transport).unlink(provider, from: Fixture.session)
        #expect(unlinked.user.providers.map(\.id) == [.google])
        #expect(transport.requests[1].json?["deleteProvider"] == ["password"])
    }

    @Test func anAdoptedSessionOfAMailLinkIsNamedByIt() async throws {
        let token = Fixture.idToken(["firebase": ["sign_in_provider": "password"]])
        let answer = AuthHTTPResponse.json(#"{"id_token":"\#(token)","refresh_token":"r","expires_in":"3600"}"#)
        for (more, provider) in [(#","emailLinkSignin":true"#, ProviderID.emailLink), ("", .password)] {
            let repository = repository(ScriptedTransport(answer, Self.account(more)))
            #expect(try await repository.adopt(refreshToken: Secret("r")).provider == provider)
        }
    }

    // MARK: Secrets

    @Test(arguments: ["INVALID_LOGIN_CREDENTIALS", "INVALID_OOB_CODE", "WEAK_PASSWORD", "NEW_WORD"])
    func noErrorShowsWhatWasEntered(word: String) async throws {
        let message = "\(word) : \(Self.password) \(Self.mailCode)"
        for (credential, secret) in [(Self.passwordCredential, Self.password), (Self.linkCredential, Self.mailCode)] {
            let error = try await refusal(message) { try await $0.signIn(with: credential) }
            #expect(!everythingPrinted(of: error).contains(secret))
        }
    }

    private func refusal<Value>(
        _ message: String, _ call: (FirebaseRepository) async throws -> Value
    ) async throws -> AuthError {
        let repository = repository(ScriptedTransport(.refusal(message)))
        return try await failure { () throws(AuthError) in try await AuthError.wrapping { try await call(repository) } }
    }
}
