import AuthStreams
import AuthStreamsFirebase
import Foundation
import Testing

@Suite struct FirebaseLinkTests {
    private func repository(
        _ transport: any AuthHTTPTransport, routes: [ProviderID: FirebaseRoute] = .standard(functionsIn: .seoul)
    ) -> FirebaseRepository {
        FirebaseRepository(project: Fixture.project, routes: routes, transport: transport, clock: Fixture.clock)
    }

    private func conflict(
        _ answer: String, _ routes: [ProviderID: FirebaseRoute] = .standard(functionsIn: .seoul),
        credential: Credential = Fixture.apple
    ) async throws -> AuthError {
        let repository = repository(ScriptedTransport(.json(answer)), routes: routes)
        return try await failure { () throws(AuthError) in
            try await repository.link(credential, to: Fixture.session)
        }
    }

    // MARK: Linking

    @Test func anIdentityIsLinkedToTheUserOfTheIDToken() async throws {
        let token = Fixture.idToken(["linked": true])
        let transport = ScriptedTransport(
            Fixture.signedIn(idToken: token),
            .json(#"{"users":[{"localId":"uid-1","providerUserInfo":[{"providerId":"google.com","rawId":"g"}]}]}"#))
        let session = try await repository(transport).link(Fixture.google, to: Fixture.session)
        #expect(transport.requests.map { $0.url.lastPathComponent } == ["accounts:signInWithIdp", "accounts:lookup"])
        #expect(transport.requests[0].json?["idToken"] == .string(Fixture.idToken()))
        #expect(transport.requests[0].json?["returnIdpCredential"] == true)
        #expect(session.accessToken == Secret(token))
        #expect(session.provider == .kakao)
        #expect(!session.isNewUser)
        #expect(session.user.providers == [.init(id: .google, userID: "g")])
    }

    @Test(arguments: [AuthHTTPResponse.html(status: 503), .html(), .json("{}"), .refusal("INVALID_ID_TOKEN")])
    func aLinkIsDoneWhateverBecomesOfTheLookUp(answer: AuthHTTPResponse) async throws {
        let token = Fixture.idToken([
            "firebase": ["identities": ["google.com": ["g"]], "sign_in_provider": "google.com"], "name": "Told",
        ])
        var session = Fixture.session
        session.user.providers = [.init(id: .kakao, userID: "1001")]
        session.user.isAnonymous = true
        let transport = ScriptedTransport(Fixture.signedIn(idToken: token), answer)
        let linked = try await repository(transport).link(Fixture.google, to: session)
        #expect(linked.accessToken == Secret(token))
        #expect(linked.refreshToken == Secret(Fixture.refreshToken))
        #expect(linked.user.id == "uid-1" && linked.user.displayName == "Told" && !linked.user.isAnonymous)
        #expect(linked.user.providers == [.init(id: .kakao, userID: "1001"), .init(id: .google, userID: "g")])
        #expect(linked.provider == .kakao && !linked.isNewUser)
    }

    @Test(arguments: [("USER_NOT_FOUND", AuthError.Code.userNotFound), ("USER_DISABLED", .userDisabled)])
    func aUserWhoIsGoneAfterTheLinkIsHeardOf(message: String, code: AuthError.Code) async throws {
        let repository = repository(ScriptedTransport(Fixture.signedIn(), .refusal(message)))
        let error = try await failure { () throws(AuthError) in
            try await repository.link(Fixture.google, to: Fixture.session)
        }
        #expect(error.code == code)
    }

    @Test func whoWasAnonymousSignsInWithWhatWasLinked() async throws {
        var anonymous = Fixture.session
        anonymous.provider = .anonymous
        let repository = repository(ScriptedTransport(Fixture.signedIn(), Fixture.account))
        #expect(try await repository.link(Fixture.google, to: anonymous).provider == .google)
    }

    @Test func anotherUsersAnswerIsNotTaken() async throws {
        let answer = Fixture.signedIn(idToken: Fixture.idToken(of: "uid-2"), user: nil)
        let repository = repository(ScriptedTransport(answer))
        let error = try await failure { () throws(AuthError) in
            try await repository.link(Fixture.google, to: Fixture.session)
        }
        #expect(error.code == .invalidResponse)
    }

    @Test func aFunctionLinksToItsCaller() async throws {
        let transport = ScriptedTransport(
            Fixture.functionResult(for: "uid-1"), Fixture.signedIn(user: nil), Fixture.account)
        _ = try await repository(transport).link(Fixture.kakao, to: Fixture.session)
        #expect(
            transport.requests.map { $0.url.lastPathComponent }
                == ["socialLogin", "accounts:signInWithCustomToken", "accounts:lookup"])
        #expect(transport.requests[0].headers[.authorization] == "Bearer \(Fixture.idToken())")
        #expect(transport.requests[0].json?["data"]?["action"] == "link")
        #expect(transport.requests[0].json?["data"]?["idToken"] == .string(Fixture.providerToken))
    }

    /// The answer of a function that does not read the action: it signs in a user.
    @Test func aFunctionThatSignsInInPlaceOfLinkingIsFoundOut() async throws {
        let transport = ScriptedTransport(Fixture.functionResult(for: "kakao:1001"))
        let repository = repository(transport)
        let error = try await failure { () throws(AuthError) in
            try await repository.link(Fixture.kakao, to: Fixture.session)
        }
        #expect(error.code == .invalidResponse)
        #expect(error.explanation.contains("action"))
        #expect(transport.requests.count == 1)
    }

    @Test(arguments: [Fixture.kakao, Fixture.naver])
    func aFunctionWithoutActionLinksNothing(credential: Credential) async throws {
        var format = SocialLoginFunction.Format.standard
        format.action = nil
        let repository = repository(ScriptedTransport(), routes: .standard(functionsIn: .seoul, format: format))
        let link = try await failure { () throws(AuthError) in
            try await repository.link(credential, to: Fixture.session)
        }
        let unlink = try await failure { () throws(AuthError) in
            try await repository.unlink(credential.provider, from: Fixture.session)
        }
        #expect(link.code == .unsupportedProvider)
        #expect(unlink.code == .unsupportedProvider)
    }

    // MARK: Conflicts

    @Test func aConflictHasWhatIsNeededToGoOn() async throws {
        let error = try await conflict(
            #"{"errorMessage":"FEDERATED_USER_ID_ALREADY_LINKED","email":"a@b.example","providerId":"apple.com","pendingToken":"pending-1"}"#
        )
        #expect(error.code == .credentialInUse)
        #expect(error.conflict?.email == "a@b.example")
        #expect(
            error.conflict?.credential
                == Credential(
                    provider: .apple, profile: Fixture.apple.profile, pendingToken: Secret("pending-1")))
        var told = "\(error)" + error.debugDescription
        dump(error, to: &told)
        #expect(!told.contains("pending-1"))
        #expect(!told.contains("a@b.example"))
    }

    /// Firebase takes an ID token with a nonce once, and it has just seen this one.
    @Test func withoutAPendingTokenWhatIsNotUsedUpIsWhatIsLeft() async throws {
        let refusal = #"{"errorMessage":"EMAIL_EXISTS"}"#
        let spent = try await conflict(refusal)
        #expect(spent.code == .accountExists)
        #expect(spent.conflict != nil && spent.conflict?.credential == nil)
        let google = try await conflict(refusal, credential: Fixture.google)
        #expect(
            google.conflict?.credential == Credential(provider: .google, accessToken: Secret(Fixture.accessToken)))
        let withoutNonce = Credential(provider: .apple, idToken: Secret(Fixture.providerToken))
        #expect(try await conflict(refusal, credential: withoutNonce).conflict?.credential == withoutNonce)
    }

    @Test(arguments: ["accounts:signInWithIdp", "socialLogin"])
    func codeForTheServerIsNotPartOfAConflict(endpoint: String) async throws {
        let isFunction = endpoint == "socialLogin"
        var credential = isFunction ? Fixture.kakao : Fixture.google
        credential.serverAuthCode = Secret("server-code")
        let transport = ScriptedTransport(
            isFunction
                ? .json(#"{"error":{"status":"ALREADY_EXISTS"}}"#, status: 409)
                : .json(#"{"errorMessage":"EMAIL_EXISTS"}"#))
        let repository = repository(transport)
        let error = try await failure { () throws(AuthError) in
            try await repository.link(credential, to: Fixture.session)
        }
        #expect(transport.requests.map { $0.url.lastPathComponent } == [endpoint])
        let usable = try #require(error.conflict?.credential)
        #expect(usable.accessToken != nil && usable.serverAuthCode == nil)
    }

    @Test func theOtherAccountsProvidersAreCalledAsInTheRoutes() async throws {
        var routes: [ProviderID: FirebaseRoute] = .standard(functionsIn: .seoul)
        routes["line"] = .idp(as: "oidc.line")
        let error = try await conflict(
            #"{"needConfirmation":true,"verifiedProvider":["oidc.line","google.com","password"]}"#, routes)
        #expect(error.code == .accountExists)
        #expect(error.conflict?.providers == ["line", .google, .password])
    }

    @Test func aSignInHasTheSameConflict() async throws {
        let answer = #"{"needConfirmation":true,"email":"a@b.example","verifiedProvider":["google.com"]}"#
        let repository = repository(ScriptedTransport(.json(answer)))
        let error = try await failure { () throws(AuthError) in try await repository.signIn(with: Fixture.apple) }
        #expect(error.code == .accountExists)
        #expect(error.conflict?.email == "a@b.example")
        #expect(error.conflict?.providers == [.google])
        #expect(error.conflict?.credential == nil)
    }

    @Test func aPendingTokenGoesInPlaceOfTheTokens() async throws {
        let transport = ScriptedTransport(Fixture.signedIn(), Fixture.account)
        let credential = Credential(
            provider: .apple, idToken: Secret("spent"), rawNonce: Secret("spent"), pendingToken: Secret("pending-1"))
        _ = try await repository(transport).signIn(with: credential)
        #expect(transport.requests[0].json?["pendingToken"] == "pending-1")
        #expect(transport.requests[0].json?["postBody"] == nil)
        #expect(!transport.requests[0].text.contains("spent"))
    }

    /// A code was redeemed by the function, so it is not handed out again; Kakao's ID token still holds.
    @Test func aFunctionsConflictHasWhatIsNotUsedUp() async throws {
        let taken = AuthHTTPResponse.json(#"{"error":{"status":"ALREADY_EXISTS"}}"#, status: 409)
        for (credential, left) in [(Fixture.kakao, Fixture.kakao), (naverByCode, nil)] {
            let repository = repository(ScriptedTransport(taken))
            let error = try await failure { () throws(AuthError) in
                try await repository.link(credential, to: Fixture.session)
            }
            #expect(error.code == .credentialInUse)
            #expect(error.serverCode == "ALREADY_EXISTS")
            #expect(error.conflict != nil)
            #expect(error.conflict?.credential == left)
        }
    }

    private var naverByCode: Credential {
        Credential(provider: .naver, authorizationCode: Fixture.naver.authorizationCode)
    }

    // MARK: What ends no session

    /// It may have expired by a clock that is not the device's: a refresh tells.
    @Test(arguments: ["INVALID_ID_TOKEN", "TOKEN_EXPIRED"])
    func anIDTokenThatDoesNotHoldAsksForARefresh(message: String) async throws {
        let repository = repository(ScriptedTransport(.refusal(message), .refusal(message), .refusal(message)))
        let link = try await failure { () throws(AuthError) in
            try await repository.link(Fixture.google, to: Fixture.session)
        }
        let unlink = try await failure { () throws(AuthError) in
            try await repository.unlink(.google, from: Fixture.session)
        }
        let deletion = try await failure { () throws(AuthError) in
            try await repository.deleteAccount(Fixture.session)
        }
        for error in [link, unlink, deletion] {
            #expect(error.code == .invalidCredential)
            #expect(error.serverCode == message)
        }
    }

    /// The framework's own words, before the function's code runs: the caller's token does not hold.
    @Test func whatTheFrameworkRefusesIsTheIDToken() async throws {
        for (message, code) in [("Unauthenticated", "INVALID_ID_TOKEN"), ("Kakao refused it.", "UNAUTHENTICATED")] {
            let answer = AuthHTTPResponse.json(
                #"{"error":{"status":"UNAUTHENTICATED","message":"\#(message)"}}"#, status: 401)
            let repository = repository(ScriptedTransport(answer, Fixture.account, answer))
            let link = try await failure { () throws(AuthError) in
                try await repository.link(Fixture.kakao, to: Fixture.session)
            }
            let unlink = try await failure { () throws(AuthError) in
                try await repository.unlink(.kakao, from: Fixture.session)
            }
            for error in [link, unlink] {
                #expect(error.code == .invalidCredential)
                #expect(error.serverCode == code)
            }
        }
    }

    /// The function has linked it by then, and its code is used up: nothing is to be refreshed and repeated.
    @Test(arguments: ["INVALID_ID_TOKEN", "TOKEN_EXPIRED"])
    func aNewTokenThatIsRefusedIsNotTheSessions(message: String) async throws {
        let refusal = AuthHTTPResponse.refusal(message)
        let result = Fixture.functionResult(for: "uid-1")
        let link = repository(ScriptedTransport(result, Fixture.signedIn(user: nil), refusal))
        let reauthenticate = repository(ScriptedTransport(result, Fixture.signedIn(user: nil), refusal))
        let errors = [
            try await failure { () throws(AuthError) in try await link.link(Fixture.kakao, to: Fixture.session) },
            try await failure { () throws(AuthError) in
                try await reauthenticate.reauthenticate(Fixture.session, with: Fixture.kakao)
            },
        ]
        for error in errors {
            #expect(error.code == .misconfigured)
            #expect(error.serverCode == nil)
        }
    }

    // MARK: Unlinking

    private var linked: AuthSession {
        var session = Fixture.session
        session.user.providers = [.init(id: .google, userID: "g"), .init(id: .apple, userID: "a")]
        return session
    }

    /// What a look-up says of the user.
    private func account(_ providers: String..., more: String = "") -> AuthHTTPResponse {
        let infos = providers.map { #"{"providerId":"\#($0)","rawId":"\#($0.prefix(1))"}"# }.joined(separator: ",")
        return .json(#"{"users":[{"localId":"uid-1","providerUserInfo":[\#(infos)]\#(more)}]}"#)
    }

    @Test func anIdentityIsTakenAndTheTokensGoOn() async throws {
        let transport = ScriptedTransport(account("google.com", "apple.com"), .json(#"{"localId":"uid-1"}"#))
        let session = try await repository(transport).unlink(.google, from: linked)
        #expect(transport.requests.map { $0.url.lastPathComponent } == ["accounts:lookup", "accounts:update"])
        #expect(
            transport.requests[1].json
                == [
                    "idToken": .string(Fixture.idToken()), "deleteProvider": ["google.com"],
                    "returnSecureToken": true,
                ])
        var expected = linked
        expected.user.providers = [.init(id: .apple, userID: "a")]
        expected.isNewUser = false
        #expect(session == expected)
    }

    @Test func tokensThatReplaceTheOldOnesAreTaken() async throws {
        let token = Fixture.idToken(["fresh": true])
        let transport = ScriptedTransport(
            account("google.com", "apple.com"),
            .json(#"{"localId":"uid-1","idToken":"\#(token)","refreshToken":"next","expiresIn":"60"}"#))
        let session = try await repository(transport).unlink(.google, from: linked)
        #expect(session.accessToken == Secret(token))
        #expect(session.refreshToken == Secret("next"))
        #expect(session.expiresAt == Fixture.now.addingTimeInterval(60))
        let anothers = ScriptedTransport(
            account("google.com", "apple.com"), .json(#"{"idToken":"\#(Fixture.idToken(of: "uid-2"))"}"#))
        let repository = repository(anothers)
        let error = try await failure { () throws(AuthError) in
            try await repository.unlink(.google, from: linked)
        }
        #expect(error.code == .invalidResponse)
    }

    @Test func aProviderIsUnlinkedByItsNameAtFirebase() async throws {
        let routes: [ProviderID: FirebaseRoute] = ["line": .idp(as: "oidc.line")]
        let transport = ScriptedTransport(account("oidc.line", "google.com"), .json("{}"))
        let session = try await repository(transport, routes: routes).unlink("line", from: linked)
        #expect(transport.requests[1].json?["deleteProvider"] == ["oidc.line"])
        #expect(session.user.providers.map(\.id) == [.google])
        let last = repository(ScriptedTransport(account("oidc.line")), routes: routes)
        let error = try await failure { () throws(AuthError) in try await last.unlink("line", from: linked) }
        #expect(error.code == .lastProvider)
    }

    /// The session says there is another one, which is gone by now: another device has unlinked it.
    @Test(arguments: ["", #","customAttributes":"{}""#, #","customAttributes":"{\"identities\":{}}""#])
    func theLastWayInStays(more: String) async throws {
        let transport = ScriptedTransport(account("google.com", more: more))
        let repository = repository(transport)
        let error = try await failure { () throws(AuthError) in try await repository.unlink(.google, from: linked) }
        #expect(error.code == .lastProvider)
        #expect(error.provider == .google)
        #expect(transport.requests.count == 1)
    }

    @Test func theLastWayInThroughAFunctionStays() async throws {
        var session = linked
        session.accessToken = Secret(Fixture.idToken(["identities": ["kakao": "1001"]]))
        let repository = repository(ScriptedTransport(account()))
        let error = try await failure { () throws(AuthError) in try await repository.unlink(.kakao, from: session) }
        #expect(error.code == .lastProvider)
    }

    /// The claims of the account are newer than those of the token, where Firebase tells them.
    @Test(
        arguments: [
            ([:], #","customAttributes":"{\"identities\":{\"naver\":\"n\"}}""#, [ProviderID.naver]),
            (["identities": ["kakao": "1001"]], "", [.kakao]),
            (["identities": ["kakao": "1001"]], #","customAttributes":"not JSON""#, [.kakao]),
            (["identities": ["kakao": "1001"]], #","customAttributes":"{}""#, []),
            (["identities": ["kakao": "1001"]], #","customAttributes":"{\"identities\":{\"naver\":\"n\"}}""#, [.naver]),
        ] as [([String: AuthJSON], String, [ProviderID])])
    func whatAFunctionLinkedIsAWayIn(claims: [String: AuthJSON], more: String, left: [ProviderID]) async throws {
        var session = linked
        session.accessToken = Secret(Fixture.idToken(claims))
        let transport = ScriptedTransport(account("google.com", more: more))
        if !left.isEmpty {
            let done = ScriptedTransport(account("google.com", more: more), .json("{}"))
            let next = try await repository(done).unlink(.google, from: session)
            #expect(next.user.providers.map(\.id) == left)
        } else {
            let repository = repository(transport)
            let error = try await failure { () throws(AuthError) in
                try await repository.unlink(.google, from: session)
            }
            #expect(error.code == .lastProvider)
        }
    }

    @Test func aFunctionUnlinksFromItsCaller() async throws {
        var session = linked
        session.user.providers.append(.init(id: .kakao, userID: "1001"))
        session.accessToken = Secret(Fixture.idToken(["identities": ["kakao": "1001"]]))
        let both = account("google.com", "apple.com")
        let transport = ScriptedTransport(
            both, .json(#"{"result":{"unlinked":true}}"#), both, .json(#"{"result":{"unlinked":false}}"#))
        let repository = repository(transport)
        #expect(try await repository.unlink(.kakao, from: session).user.providers == linked.user.providers)
        #expect(transport.requests[1].text == #"{"data":{"action":"unlink","provider":"kakao"}}"#)
        #expect(transport.requests[1].headers[.authorization] == "Bearer \(session.accessToken.reveal())")
        let error = try await failure { () throws(AuthError) in
            try await repository.unlink(.kakao, from: session)
        }
        #expect(error.code == .invalidResponse)
    }

    @Test func functionThatUnlinksGetsItsOwnNameOfTheProvider() async throws {
        var format = SocialLoginFunction.Format.standard
        format.providerNames = [.kakao: "KAKAO"]
        var session = linked
        session.user.providers.append(.init(id: .kakao, userID: "1001"))
        session.accessToken = Secret(Fixture.idToken(["identities": ["kakao": "1001"]]))
        let transport = ScriptedTransport(
            account("google.com", "apple.com"), .json(#"{"result":{"unlinked":true}}"#))
        let repository = repository(transport, routes: .standard(functionsIn: .seoul, format: format))
        _ = try await repository.unlink(.kakao, from: session)
        #expect(transport.requests.last?.text == #"{"data":{"action":"unlink","provider":"KAKAO"}}"#)
    }

    @Test func whatTheUserIsCalledByStays() async throws {
        var session = Fixture.session
        session.user.id = "kakao:1001"
        let repository = repository(ScriptedTransport())
        let error = try await failure { () throws(AuthError) in
            try await repository.unlink(.kakao, from: session)
        }
        #expect(error.code == .unsupportedProvider)
    }
}
