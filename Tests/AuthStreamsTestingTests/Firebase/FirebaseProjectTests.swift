import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsTesting

/// What Firebase's clients and test suites ask of a project beside its sign-ins, on the wire.
@Suite struct FirebaseProjectTests {
    private static let host = "https://identitytoolkit.googleapis.com"

    private static func control(
        _ method: AuthHTTPRequest.Method, _ name: String, _ body: AuthJSON? = nil, _ backend: EmulatedBackend
    ) async throws -> EmulatedBackend.Answer {
        try await backend.post(
            "\(host)/emulator/v1/projects/authstreams-demo/\(name)", body?.data ?? Data(), method: method)
    }

    private static func admin(
        _ method: String, _ body: AuthJSON, _ backend: EmulatedBackend
    ) async throws -> EmulatedBackend.Answer {
        try await backend.post(
            "\(host)/v1/projects/authstreams-demo/accounts:\(method)", body.data,
            headers: [.authorization: "Bearer owner"])
    }

    private static func signUp(_ email: String, _ backend: EmulatedBackend) async throws -> EmulatedBackend.Answer {
        try await backend.toolkit(
            "signUp", ["email": .string(email), "password": "secret1", "returnSecureToken": true])
    }

    // MARK: Addresses

    @Test func anAddressChangesOnceItsLinkIsOpened() async throws {
        try await EmulatedBackend.run { backend in
            let session = try await Self.signUp("old@a.example", backend)
            let idToken = session["idToken"] ?? .null
            let asked: AuthJSON = [
                "requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": idToken, "newEmail": "New@a.example",
            ]
            try await #expect(backend.toolkit("sendOobCode", asked).status == 200)
            let change = try #require(backend.emulator.firebase.mails.last)
            #expect(change.kind == .addressChange && change.address == "new@a.example")
            let code = AuthJSON.string(change.code.reveal())
            let listed = try await backend.get("\(Self.host)/emulator/v1/projects/authstreams-demo/oobCodes")
            let mail = listed["oobCodes"]?.array?.first
            #expect(mail?["email"] == "old@a.example" && mail?["newEmail"] == "new@a.example")
            let told = try await backend.toolkit("resetPassword", ["oobCode": code])
            #expect(told["requestType"] == "VERIFY_AND_CHANGE_EMAIL")
            #expect(told["email"] == "old@a.example" && told["newEmail"] == "new@a.example")
            #expect(backend.emulator.firebase.users.map(\.email) == ["old@a.example"])

            backend.clock.advance(by: .seconds(1))
            let changed = try await backend.toolkit("update", ["oobCode": code])
            #expect(changed["email"] == "new@a.example" && changed["emailVerified"] == true)
            // Every earlier session is over, and the code works once.
            try await #expect(backend.toolkit("lookup", ["idToken": idToken]).code == "TOKEN_EXPIRED")
            try await #expect(backend.toolkit("update", ["oobCode": code]).code == "INVALID_OOB_CODE")

            let recovery = try #require(backend.emulator.firebase.mails.last)
            #expect(recovery.kind == .addressRecovery && recovery.address == "old@a.example")
            let back = try await backend.toolkit("update", ["oobCode": .string(recovery.code.reveal())])
            #expect(back["email"] == "old@a.example")
            // There is no way back from that one.
            #expect(backend.emulator.firebase.mails.count == 2)
        }
    }

    @Test func anAddressOfAnotherUserIsNotTaken() async throws {
        try await EmulatedBackend.run { backend in
            let session = try await Self.signUp("a@a.example", backend)
            let asked: AuthJSON = [
                "requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": session["idToken"] ?? .null,
                "newEmail": "b@a.example",
            ]
            try await #expect(backend.toolkit("sendOobCode", asked).status == 200)
            // The address is taken before the link is opened.
            _ = try await Self.signUp("b@a.example", backend)
            try await #expect(backend.toolkit("sendOobCode", asked).code == "EMAIL_EXISTS")
            let code = AuthJSON.string(try #require(backend.emulator.firebase.mails.first).code.reveal())
            try await #expect(backend.toolkit("update", ["oobCode": code]).code == "EMAIL_EXISTS")
            #expect(backend.emulator.firebase.users.map(\.email) == ["a@a.example", "b@a.example"])
        }
    }

    @Test(arguments: [true, false])
    func aClientChangesAnAddressWhereAddressesAreNotProtected(isProtected: Bool) async throws {
        try await EmulatedBackend.run {
            $0.firebase.protectsAddresses = isProtected
        } _: { backend in
            let session = try await Self.signUp("a@a.example", backend)
            let answer = try await backend.toolkit(
                "update",
                ["idToken": session["idToken"] ?? .null, "email": "b@a.example", "returnSecureToken": true])
            #expect(answer.code == (isProtected ? "OPERATION_NOT_ALLOWED" : nil))
            #expect(backend.emulator.firebase.users.map(\.email) == [isProtected ? "a@a.example" : "b@a.example"])
            guard !isProtected else { return }
            try await #expect(backend.toolkit("lookup", ["idToken": answer["idToken"] ?? .null]).status == 200)
            #expect(backend.emulator.firebase.mails.map(\.kind) == [.addressRecovery])
        }
    }

    /// The earlier sessions may be of a person who does not own the address.
    @Test func aProviderThatVerifiesTheAddressEndsEarlierSessions() async throws {
        try await EmulatedBackend.run { backend in
            let session = try await Self.signUp("minji@example.com", backend)
            backend.clock.advance(by: .seconds(1))
            let answer = try await backend.signIn("google.com", backend.googleToken(["email_verified": true]))
            #expect(answer["localId"] == session["localId"])
            let refresh = "grant_type=refresh_token&refresh_token=\(session["refreshToken"]?.string ?? "")"
            try await #expect(backend.secureToken(refresh).code == "TOKEN_EXPIRED")
        }
    }

    // MARK: Sessions

    /// An ID token has whole seconds, and a user is made at any moment.
    @Test func aSessionContinuesWithTheTokensOfAChange() async throws {
        try await EmulatedBackend.run { backend in
            backend.clock.advance(by: .milliseconds(700))
            let session = try await Self.signUp("a@a.example", backend)
            let changed = try await backend.toolkit(
                "update",
                ["idToken": session["idToken"] ?? .null, "password": "secret2", "returnSecureToken": true])
            let refresh = "grant_type=refresh_token&refresh_token=\(changed["refreshToken"]?.string ?? "")"
            let answer = try await backend.secureToken(refresh)
            #expect(answer.status == 200)
        }
    }

    @Test func aUserWhoIsMadeAgainHasNoEarlierSession() async throws {
        try await EmulatedBackend.run { backend in
            let user: AuthJSON = ["localId": "u1", "email": "a@a.example", "password": "secret1"]
            let path = "\(Self.host)/v1/projects/authstreams-demo/accounts"
            let bearer: [HeaderName: String] = [.authorization: "Bearer owner"]
            _ = try await backend.post(path, user.data, headers: bearer)
            let session = try await backend.toolkit(
                "signInWithPassword", ["email": "a@a.example", "password": "secret1", "returnSecureToken": true])
            let removed = try await Self.admin("delete", ["localId": "u1"], backend)
            #expect(removed.status == 200)
            _ = try await backend.post(path, user.data, headers: bearer)
            let refresh = "grant_type=refresh_token&refresh_token=\(session["refreshToken"]?.string ?? "")"
            let answer = try await backend.secureToken(refresh)
            #expect(answer.code == "USER_NOT_FOUND")
        }
    }

    /// An Admin SDK sends whole seconds.
    @Test func aRevocationEndsASessionOfTheSameSecond() async throws {
        try await EmulatedBackend.run { backend in
            backend.clock.advance(by: .milliseconds(300))
            let session = try await Self.signUp("a@a.example", backend)
            backend.clock.advance(by: .milliseconds(400))
            let since = AuthJSON.string("\(backend.now)")
            let revoked = try await Self.admin(
                "update", ["localId": session["localId"] ?? .null, "validSince": since], backend)
            #expect(revoked.status == 200)
            let refresh = "grant_type=refresh_token&refresh_token=\(session["refreshToken"]?.string ?? "")"
            let answer = try await backend.secureToken(refresh)
            #expect(answer.code == "TOKEN_EXPIRED")
        }
    }

    @Test func nameOfASignUpAndCustomClaimsAreInTheToken() async throws {
        try await EmulatedBackend.run { backend in
            let named = try await backend.toolkit(
                "signUp",
                ["email": "a@a.example", "password": "secret1", "displayName": "민지", "returnSecureToken": true])
            #expect(backend.emulator.firebase.users.first?.displayName == "민지")
            #expect(JSONWebToken(Secret(named["idToken"]?.string ?? ""))?.claims["name"] == "민지")
            let other = try await Self.signUp("b@a.example", backend)
            _ = try await Self.admin(
                "update",
                ["localId": other["localId"] ?? .null, "customAttributes": #"{"name":"VIP"}"#], backend)
            let refresh = "grant_type=refresh_token&refresh_token=\(other["refreshToken"]?.string ?? "")"
            let token = try await backend.secureToken(refresh)["id_token"]?.string
            #expect(JSONWebToken(Secret(token ?? ""))?.claims["name"] == "VIP")
        }
    }

    // MARK: Servers

    @Test func aServerGetsTheLinksOfMails() async throws {
        try await EmulatedBackend.run { backend in
            _ = try await Self.signUp("a@a.example", backend)
            for kind in EmulatedFirebase.Mail.Kind.allCases where kind != .addressRecovery {
                let answer = try await Self.admin(
                    "sendOobCode",
                    [
                        "requestType": .string(kind.rules.requestType), "email": "a@a.example",
                        "newEmail": "b@a.example", "continueUrl": "https://app.example", "returnOobLink": true,
                    ], backend)
                let mail = try #require(backend.emulator.firebase.mails.last)
                #expect(mail.kind == kind)
                #expect(answer["oobCode"]?.string == mail.code.reveal())
                #expect(answer["oobLink"]?.string == mail.link.absoluteString)
            }
            let rows: [(AuthJSON, String)] = [
                (["requestType": "VERIFY_EMAIL", "email": "x@a.example"], "USER_NOT_FOUND"),
                (["requestType": "PASSWORD_RESET", "email": "x@a.example"], "EMAIL_NOT_FOUND"),
                (["requestType": "UNKNOWN", "email": "a@a.example"], "INVALID_REQ_TYPE"),
            ]
            for (body, code) in rows {
                try await #expect(Self.admin("sendOobCode", body, backend).code == code)
            }
            // A request that is malformed sends no mail.
            let count = backend.emulator.firebase.mails.count
            let body: AuthJSON = ["requestType": "PASSWORD_RESET", "email": "a@a.example", "returnOobLink": "x"]
            let malformed = try await Self.admin("sendOobCode", body, backend)
            #expect(malformed.status == 400 && backend.emulator.firebase.mails.count == count)
            // A client never gets a code.
            let client = try await backend.toolkit(
                "sendOobCode", ["requestType": "PASSWORD_RESET", "email": "a@a.example", "returnOobLink": true])
            #expect(client.status == 200 && client["oobCode"] == nil && client["oobLink"] == nil)
        }
    }

    @Test func tokensOfAppleAreRevokedForTheirPersonAlone() async throws {
        try await EmulatedBackend.run { backend in
            let grants = backend.emulator.router.world.grants
            let apple = backend.emulator.configuration.apple
            let session = try await backend.signIn("apple.com", backend.appleToken(["sub": "a1"]))
            for (type, kind) in [("REFRESH_TOKEN", GrantStore.Kind.refresh), ("2", .access)] {
                for (person, code) in [("a2", "INVALID_IDP_RESPONSE"), ("a1", nil)] {
                    let grant = Grant(
                        issuer: .apple, clientID: apple.bundleID, userID: person, approvedAt: Date())
                    let token = grants.issueToken(kind, for: grant, lifetime: 600)
                    let answer = try await backend.post(
                        "\(Self.host)/v2/accounts:revokeToken?key=emulator-api-key",
                        ([
                            "providerId": "apple.com", "tokenType": .string(type), "token": .string(token),
                            "idToken": session["idToken"] ?? .null,
                        ] as AuthJSON).data)
                    #expect(answer.code == code)
                    #expect((grants.valid(token, kind, of: .apple) == nil) == (code == nil))
                }
            }
        }
    }

    // MARK: Test suites

    @Test func usersAreRemovedAllAtOnce() async throws {
        try await EmulatedBackend.run { backend in
            for name in ["a", "b"] { _ = try await Self.signUp("\(name)@a.example", backend) }
            try await #expect(Self.control(.delete, "accounts", nil, backend).status == 200)
            #expect(backend.emulator.firebase.users.isEmpty)
        }
    }

    @Test func codesThatAreValidAreListed() async throws {
        try await EmulatedBackend.run { backend in
            _ = try await Self.signUp("a@a.example", backend)
            for _ in 0..<2 {
                _ = try await backend.toolkit(
                    "sendOobCode", ["requestType": "PASSWORD_RESET", "email": "a@a.example"])
            }
            let mail = try #require(backend.emulator.firebase.mails.last)
            let listed = try await backend.get("\(Self.host)/emulator/v1/projects/authstreams-demo/oobCodes")
            #expect(
                listed["oobCodes"] == [
                    [
                        "email": "a@a.example", "requestType": "PASSWORD_RESET",
                        "oobCode": .string(mail.code.reveal()), "oobLink": .string(mail.link.absoluteString),
                    ]
                ])
            let phones = try await backend.get("\(Self.host)/emulator/v1/projects/authstreams-demo/verificationCodes")
            #expect(phones["verificationCodes"] == [])
        }
    }

    @Test func aTestSuiteChangesWhetherAddressesAreProtected() async throws {
        try await EmulatedBackend.run { backend in
            let unknown: AuthJSON = ["identifier": "a@a.example", "continueUri": "http://localhost"]
            try await #expect(backend.toolkit("createAuthUri", unknown)["registered"] == nil)
            let settings: AuthJSON = ["emailPrivacyConfig": ["enableImprovedEmailPrivacy": false]]
            let changed = try await Self.control(.patch, "config", settings, backend)
            #expect(changed["emailPrivacyConfig"]?["enableImprovedEmailPrivacy"] == false)
            #expect(changed["signIn"]?["allowDuplicateEmails"] == false)
            try await #expect(backend.toolkit("createAuthUri", unknown)["registered"] == false)
            _ = try await Self.signUp("a@a.example", backend)
            let known = try await backend.toolkit("createAuthUri", unknown)
            #expect(known["registered"] == true && known["signinMethods"] == ["password"])
            let other = try await Self.control(.patch, "config", ["signIn": ["allowDuplicateEmails": true]], backend)
            #expect(other.status == 501)
        }
    }

    @Test func anotherProjectIsNotFound() async throws {
        try await EmulatedBackend.run { backend in
            let answer = try await backend.get("\(Self.host)/emulator/v1/projects/other/oobCodes")
            #expect(answer.code == "PROJECT_NOT_FOUND")
        }
    }

    // MARK: Settings

    @Test func aMethodThatIsSwitchedOffSaysSo() async throws {
        try await EmulatedBackend.run {
            ($0.firebase.allowsPasswords, $0.firebase.allowsMailLinks) = (false, false)
        } _: { backend in
            let rows: [(String, AuthJSON)] = [
                ("signUp", ["email": "a@a.example", "password": "secret1"]),
                ("signInWithEmailLink", ["email": "a@a.example", "oobCode": "x"]),
                ("resetPassword", ["oobCode": "x", "newPassword": "secret1"]),
                ("sendOobCode", ["requestType": "EMAIL_SIGNIN", "email": "a@a.example"]),
            ]
            for (method, body) in rows {
                try await #expect(backend.toolkit(method, body).code == "OPERATION_NOT_ALLOWED", "\(method)")
            }
        }
    }

    @Test func anSDKReadsWhatTheProjectAsksFor() async throws {
        try await EmulatedBackend.run { backend in
            let project = try await backend.get("\(Self.host)/v1/projects?key=emulator-api-key")
            #expect(project["projectId"] == "100100100100")
            #expect(project["authorizedDomains"]?.array?.contains("app.example") == true)
            let captcha = try await backend.get(
                "\(Self.host)/v2/recaptchaConfig?key=emulator-api-key&clientType=CLIENT_TYPE_IOS")
            #expect(captcha["recaptchaEnforcementState"] == [])
            // The SDK for JavaScript reads the fourth part.
            #expect(captcha["recaptchaKey"]?.string?.split(separator: "/").count == 4)
            let policy = try await backend.get("\(Self.host)/v2/passwordPolicy?key=emulator-api-key")
            #expect(policy["customStrengthOptions"]?["minPasswordLength"] == 6)
            try await #expect(backend.get("\(Self.host)/v1/projects").status == 403)
        }
    }

    /// Google's front end takes both spellings of a member.
    @Test func membersAreReadInBothSpellings() async throws {
        try await EmulatedBackend.run { backend in
            let session = try await backend.toolkit(
                "signUp", ["email": "a@a.example", "password": "secret1", "return_secure_token": true])
            let idToken = session["idToken"] ?? .null
            let user = try await backend.toolkit("lookup", ["id_token": idToken])
            #expect(user["users"]?.array?.first?["email"] == "a@a.example")
            try await #expect(backend.toolkit("lookup", ["id_tokens": idToken]).status == 400)
            try await #expect(backend.toolkit("lookup", ["_": idToken, "": idToken]).status == 400)
            // Inside of a member, too.
            let changed = try await Self.control(
                .patch, "config", ["email_privacy_config": ["enable_improved_email_privacy": false]], backend)
            #expect(changed["emailPrivacyConfig"]?["enableImprovedEmailPrivacy"] == false)
        }
    }
}
