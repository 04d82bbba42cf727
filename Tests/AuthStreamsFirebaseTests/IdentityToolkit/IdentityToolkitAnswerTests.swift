import AuthStreams
import AuthStreamsFirebase
import Foundation
import Testing

@Suite struct IdentityToolkitAnswerTests {
    private func signIn(_ answer: AuthHTTPResponse) async throws(AuthError) -> IdentityToolkit.Tokens {
        try await IdentityToolkit(project: Fixture.project, transport: ScriptedTransport(answer))
            .signInWithIdp(IdpAssertion(Fixture.google))
    }

    private func refresh(_ answer: AuthHTTPResponse) async throws(AuthError) -> IdentityToolkit.Tokens {
        try await IdentityToolkit(project: Fixture.project, transport: ScriptedTransport(answer))
            .refresh(Secret(Fixture.refreshToken))
    }

    private func lookup(_ answer: String, idToken: String = Fixture.idToken()) async throws(AuthError) -> AuthUser {
        try await IdentityToolkit(project: Fixture.project, transport: ScriptedTransport(.json(answer)))
            .lookup(Secret(idToken))
    }

    @Test(arguments: [
        (#""3600""#, 3600), ("3600", 3600), ("3600.0", 3600), (#""60""#, 60), ("-5", 0), ("0", 0),
        (#""99999999999999999999""#, 31_536_000),
        // Unusable: the token's own `exp` − `iat` counts.
        (#""soon""#, 3600), ("null", 3600),
    ])
    func lifetimesAreReadWhateverTheirForm(expiresIn: String, seconds: Int) async throws {
        let answer = #"{"idToken":"\#(Fixture.idToken())","refreshToken":"r","expiresIn":\#(expiresIn)}"#
        #expect(try await signIn(.json(answer)).lifetime == .seconds(seconds))
    }

    @Test func aLifetimeThatNobodyNamesIsNone() async throws {
        let token = Fixture.idToken(["iat": .null, "exp": .integer(.max)])
        #expect(try await signIn(.json(#"{"idToken":"\#(token)","refreshToken":"r"}"#)).lifetime == nil)
        let overflow = Fixture.idToken(["iat": .integer(.min), "exp": .integer(.max)])
        #expect(
            try await signIn(.json(#"{"idToken":"\#(overflow)","refreshToken":"r"}"#)).lifetime == .seconds(31_536_000))
    }

    @Test(arguments: [("", false), (#","isNewUser":true"#, true), (#","isNewUser":"true""#, true)])
    func newUsersAreTold(member: String, isNew: Bool) async throws {
        #expect(try await signIn(Fixture.signedIn(member)).isNewUser == isNew)
    }

    @Test(arguments: [
        (
            #"{"needConfirmation":true,"verifiedProvider":["google.com"],"email":"a@b.example"}"#,
            AuthError.Code.accountExists
        ),
        (#"{"errorMessage":"FEDERATED_USER_ID_ALREADY_LINKED"}"#, .credentialInUse),
        (#"{"errorMessage":"EMAIL_EXISTS : someone has it"}"#, .accountExists),
        (#"{"errorMessage":"SOMETHING_NEW"}"#, .invalidCredential),
        (#"{"mfaPendingCredential":"pending","mfaInfo":[{"mfaEnrollmentId":"1"}]}"#, .secondFactorRequired),
    ])
    func a200MayBeNoSignIn(answer: String, code: AuthError.Code) async throws {
        let error = try await failure { () throws(AuthError) in try await signIn(.json(answer)) }
        #expect(error.code == code)
        #expect(!error.explanation.contains("someone has it"))
    }

    /// Firebase reports it with 4xx. In a success it does not come from Firebase.
    @Test(arguments: ["USER_NOT_FOUND", "USER_DISABLED", "TOKEN_EXPIRED", "INVALID_ID_TOKEN"])
    func a200IsNoDefiniteNo(message: String) async throws {
        let inSignIn = try await failure { () throws(AuthError) in
            try await signIn(.json(#"{"errorMessage":"\#(message)"}"#))
        }
        #expect(inSignIn.code == .invalidResponse)
        for status in [200, 202, 206] {
            let inRefresh = try await failure { () throws(AuthError) in
                try await refresh(.refusal(message, status: status))
            }
            #expect(inRefresh.code == .invalidResponse)
        }
    }

    @Test(arguments: [("USER_DISABLED", AuthError.Code.userDisabled), ("TOKEN_EXPIRED", .sessionExpired)])
    func onlyARefusalWith4xxIsADefiniteNo(message: String, code: AuthError.Code) async throws {
        for (status, expected) in [
            (302, AuthError.Code.invalidResponse), (307, .invalidResponse), (400, code), (403, code),
            (429, .rateLimited), (500, .server), (503, .server),
        ] {
            let error = try await failure { () throws(AuthError) in try await refresh(.refusal(message, status: status))
            }
            #expect(error.code == expected, "\(status)")
        }
    }

    @Test(arguments: [
        #"{}"#, #"{"localId":"uid-1","refreshToken":"r","expiresIn":"3600"}"#, #"{"idToken":"","refreshToken":"r"}"#,
        #"{"idToken":7,"refreshToken":"r"}"#, #"{"idToken":"opaque","refreshToken":"r"}"#,
        #"{"idToken":"\#(Fixture.idToken())"}"#, #"{"idToken":"\#(Fixture.idToken())","refreshToken":""}"#,
        #"{"idToken":"\#(Fixture.idToken(of: ""))","refreshToken":"r"}"#,
        #"{"idToken":"\#(Fixture.idToken())","refreshToken":"r","localId":"uid-2"}"#,
    ])
    func aSignInWithoutItsTokensIsAnInvalidResponse(answer: String) async throws {
        let error = try await failure { () throws(AuthError) in try await signIn(.json(answer)) }
        #expect(error.code == .invalidResponse)
    }

    @Test func aRefreshIsReadInSnakeCase() async throws {
        let answer = """
            {"access_token":"\(Fixture.idToken())","expires_in":"1800","token_type":"Bearer","refresh_token":"next",
             "id_token":"\(Fixture.idToken())","user_id":"uid-1","project_id":"1001"}
            """
        let tokens = try await refresh(.json(answer))
        #expect(tokens.userID == "uid-1")
        #expect(tokens.idToken.reveal() == Fixture.idToken())
        #expect(tokens.refreshToken?.reveal() == "next")
        #expect(tokens.lifetime == .seconds(1800))
        #expect(!tokens.isNewUser)
    }

    @Test func aRefreshMayOmitWhatDoesNotChange() async throws {
        let tokens = try await refresh(.json(#"{"access_token":"\#(Fixture.idToken())","expires_in":1800}"#))
        #expect(tokens.refreshToken == nil)
        #expect(tokens.userID == "uid-1")
    }

    @Test func aUserIsReadWhole() async throws {
        let answer = """
            {"users":[{"localId":"uid-1","email":"a@b.example","emailVerified":"true","displayName":"홍길동",
              "photoUrl":"https://p.example/1.png","validSince":"1700000000","providerUserInfo":[
                {"providerId":"google.com","rawId":"g-1","federatedId":"https://accounts.google.com/g-1","email":"g@b.example"},
                {"providerId":"oidc.new","federatedId":"n-1"},{"rawId":"nobody"},"?"]}]}
            """
        let token = Fixture.idToken(["role": "admin", "level": 3, "email": "a@b.example", "name": "홍길동"])
        let user = try await lookup(answer, idToken: token)
        #expect(
            user
                == AuthUser(
                    id: "uid-1", email: "a@b.example", isEmailVerified: true, displayName: "홍길동",
                    photoURL: URL(string: "https://p.example/1.png"),
                    providers: [
                        .init(id: .google, userID: "g-1", email: "g@b.example"), .init(id: "oidc.new", userID: "n-1"),
                    ],
                    claims: ["role": "admin", "level": 3]))
    }

    @Test(
        arguments: [
            (["provider_id": "anonymous"], true), (["firebase": ["sign_in_provider": "anonymous"]], true), ([:], false),
        ] as [([String: AuthJSON], Bool)])
    func anonymousUsersAreTold(claims: [String: AuthJSON], isAnonymous: Bool) async throws {
        let user = try await lookup(#"{"users":[{"localId":"uid-1"}]}"#, idToken: Fixture.idToken(claims))
        #expect(user.isAnonymous == isAnonymous)
        #expect(user.claims.isEmpty)
    }

    @Test(arguments: [
        #"{}"#, #"{"users":[]}"#, #"{"users":[{}]}"#, #"{"users":{"localId":"uid-1"}}"#, #"{"users":[7]}"#,
    ])
    func anAnswerThatDescribesNobodyIsNoDefiniteNo(answer: String) async throws {
        let error = try await failure { () throws(AuthError) in try await lookup(answer) }
        #expect(error.code == .invalidResponse)
    }

    @Test func aDisabledUserIsRefused() async throws {
        let error = try await failure { () throws(AuthError) in
            try await lookup(#"{"users":[{"localId":"uid-1","disabled":true}]}"#)
        }
        #expect(error.code == .userDisabled)
    }
}
