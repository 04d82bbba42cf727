import AuthStreams
import Foundation
import TestSupport
import Testing

/// The user of a session: after a sign-in without one, by a reload, and after a change of the profile.
@Suite struct ServerUserTests {
    private typealias Fixture = ServerFixture

    private static let user = AuthHTTPResponse.json(#"{"user":{"id":"u1","displayName":"민지"}}"#)
    private static let picture = URL(string: "https://pictures.example/1.jpg?x=1") ?? Fixture.base

    // MARK: Signing in

    @Test func aSignInWithoutAUserAsksForThem() async throws {
        for text in [#"{"accessToken":"at","refreshToken":"rt"}"#, #"{"accessToken":"at","user":null}"#] {
            let transport = AnsweringTransport([.json(text), Self.user])
            let session = try await Fixture.repository(transport).signIn(with: Fixture.credential)
            #expect(session.user == AuthUser(id: "u1", displayName: "민지"))
            #expect(session.accessToken == Secret("at") && session.provider == .google)
            #expect(transport.requests.map(\.line).last == "GET https://api.example.com/v1/auth/user")
            #expect(transport.requests.last?.headers[.authorization] == "Bearer at")
            #expect(transport.requests.last?.body == nil)
        }
    }

    @Test func anAdoptionWithoutAUserAsksForThem() async throws {
        let transport = AnsweringTransport([.json(#"{"accessToken":"at","refreshToken":"rt"}"#), Self.user])
        let session = try await Fixture.repository(transport).adopt(refreshToken: Secret("old+refresh"))
        #expect(session.user.id == "u1" && session.refreshToken == Secret("rt"))
    }

    @Test func withoutAnEndpointAUserIsRequired() async throws {
        var contract = ServerContract()
        contract.reload = nil
        let error = try await ServerOperation.signIn.error(after: .json(#"{"accessToken":"S3CRET"}"#), contract)
        #expect(error?.code == .invalidResponse)
        #expect(error?.explanation.contains("'user'") == true)
    }

    /// The refused token is new, so neither the credential nor a refresh could help.
    @Test(arguments: ["invalid-access-token", "session-expired"])
    func aNewTokenThatIsRefusedIsAMistakeOfTheContract(type: String) async throws {
        let transport = AnsweringTransport([.json(#"{"accessToken":"at"}"#), .problem("/\(type)", status: 401)])
        let error = try await serverFailure { () throws(AuthError) in
            try await Fixture.repository(transport).signIn(with: Fixture.credential)
        }
        #expect(error.code == .misconfigured)
        #expect(!error.classification.refusesAccessToken)
    }

    @Test func aUserWhoMayNotSignInIsToldAsSuch() async throws {
        let transport = AnsweringTransport([.json(#"{"accessToken":"at"}"#), .problem("/user-disabled", status: 403)])
        let error = try await serverFailure { () throws(AuthError) in
            try await Fixture.repository(transport).signIn(with: Fixture.credential)
        }
        #expect(error.code == .userDisabled && error.provider == .google)
    }

    // MARK: Reloading

    @Test func aReloadReplacesTheUserAlone() async throws {
        let session = try await Fixture.repository(AnsweringTransport([Self.user])).reload(Fixture.session)
        var expected = Fixture.session
        expected.user = AuthUser(id: "u1", displayName: "민지")
        expected.isNewUser = false
        #expect(session == expected)
    }

    @Test func theUserOfAReloadMayBeElsewhere() async throws {
        var contract = ServerContract()
        contract.session.reloadedUser = "member"
        let transport = AnsweringTransport([.json(#"{"member":{"id":"u1","email":"a@b.example"}}"#)])
        #expect(
            try await Fixture.repository(transport, contract).reload(Fixture.session).user.email == "a@b.example")
        contract.session.reloadedUser = ""
        let bare = AnsweringTransport([.json(#"{"id":"u1","email":"a@b.example"}"#)])
        #expect(try await Fixture.repository(bare, contract).reload(Fixture.session).user.email == "a@b.example")
    }

    @Test(arguments: [
        (#"{"user":{"id":"u2"}}"#, "another user"), ("{}", "'user'"), (#"{"user":"S3CRET"}"#, "'user'"),
        (#"{"user":{}}"#, "'user.id'"), ("[]", "JSON object"),
    ])
    func anAnswerWithoutThisUserIsRefused(text: String, word: String) async throws {
        let changes = ProfileChanges(displayName: .set("x"))
        var contract = ServerContract()
        for operation in ["reload", "change"] {
            if operation == "change" { contract.reload = nil }
            let repository = Fixture.repository(AnsweringTransport([.json(text)]), contract)
            let error = try await serverFailure { () throws(AuthError) in
                operation == "reload"
                    ? try await repository.reload(Fixture.session)
                    : try await repository.updateProfile(changes, of: Fixture.session)
            }
            #expect(error.code == .invalidResponse)
            #expect(error.explanation.contains(word), "\(operation): \(error.explanation)")
            #expect(!everythingPrinted(of: error).contains("S3CRET"))
        }
    }

    @Test(arguments: [
        ("user-not-found", AuthError.Code.userNotFound), ("user-disabled", .userDisabled),
        ("invalid-access-token", .invalidCredential), ("rate-limited", .rateLimited),
    ])
    func aRefusalOfAReloadIsThatOfAnyChange(type: String, code: AuthError.Code) async throws {
        let transport = AnsweringTransport([.problem("/\(type)", status: type == "rate-limited" ? 429 : 403)])
        let error = try await serverFailure { () throws(AuthError) in
            try await Fixture.repository(transport).reload(Fixture.session)
        }
        #expect(error.code == code && error.provider == .kakao)
        #expect(error.classification.refusesAccessToken == (type == "invalid-access-token"))
    }

    // MARK: The profile

    @Test func onlyWhatChangesIsSent() async throws {
        let rows: [(ProfileChanges, AuthJSON)] = [
            (ProfileChanges(displayName: .set("민지")), ["displayName": "민지"]),
            (ProfileChanges(displayName: .remove), ["displayName": nil]),
            (
                ProfileChanges(displayName: .set(""), photoURL: .set(Self.picture)),
                ["displayName": "", "photoURL": "https://pictures.example/1.jpg?x=1"]
            ),
            (ProfileChanges(photoURL: .remove), ["photoURL": nil]),
        ]
        for (changes, body) in rows {
            let transport = AnsweringTransport([Self.user])
            let session = try await Fixture.repository(transport).updateProfile(changes, of: Fixture.session)
            #expect(session.user.displayName == "민지", "As the server has it.")
            #expect(session.accessToken == Fixture.session.accessToken)
            #expect(transport.requests.map(\.line) == ["PATCH https://api.example.com/v1/auth/user"])
            #expect(transport.requests.first?.headers[.authorization] == "Bearer old+access")
            #expect(transport.requests.first?.json == body)
        }
    }

    @Test func theNamesAreThoseOfAUser() async throws {
        var contract = ServerContract()
        contract.updateProfile = .init(.put, "members/me")
        contract.user.displayName = "profile.nickname"
        let transport = AnsweringTransport([Self.user])
        _ = try await Fixture.repository(transport, contract).updateProfile(
            ProfileChanges(displayName: .set("민지")), of: Fixture.session)
        #expect(transport.requests.first?.line == "PUT https://api.example.com/v1/members/me")
        #expect(transport.requests.first?.json == ["profile": ["nickname": "민지"]])
    }

    @Test(arguments: [AuthHTTPResponse(status: 204), .json("{}"), .json(#"{"done":true}"#)])
    func aChangeWithoutAUserIsFollowedByAReload(answer: AuthHTTPResponse) async throws {
        let transport = AnsweringTransport([answer, Self.user])
        let session = try await Fixture.repository(transport).updateProfile(
            ProfileChanges(displayName: .set("민지")), of: Fixture.session)
        #expect(session.user.displayName == "민지")
        #expect(transport.requests.map(\.method) == [.patch, .get])
    }

    @Test(arguments: [
        AuthHTTPResponse(status: 200), AuthHTTPResponse(status: 202), .json(#"{"error":"no"}"#), .page(status: 200),
    ])
    func anAnswerThatDoesNotSayThatItIsDoneChangedNothing(answer: AuthHTTPResponse) async throws {
        let repository = Fixture.repository(AnsweringTransport([answer]))
        let error = try await serverFailure { () throws(AuthError) in
            try await repository.updateProfile(ProfileChanges(displayName: .remove), of: Fixture.session)
        }
        #expect(error.code == .invalidResponse)
    }

    @Test func whatTheServerDoesNotHaveIsNotAsked() async throws {
        var contract = ServerContract()
        (contract.reload, contract.updateProfile) = (nil, nil)
        let repository = Fixture.repository(AnsweringTransport([]), contract)
        for name in ["reload", "updateProfile"] {
            let error = try await serverFailure { () throws(AuthError) in
                name == "reload"
                    ? try await repository.reload(Fixture.session)
                    : try await repository.updateProfile(ProfileChanges(displayName: .remove), of: Fixture.session)
            }
            #expect(error.code == .unsupportedProvider)
            #expect(error.explanation.contains("`\(name)`"))
        }
    }
}
