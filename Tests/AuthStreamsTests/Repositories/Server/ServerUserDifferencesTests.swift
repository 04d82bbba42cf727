import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// The user, as servers describe them: partly, in other types, in damaged text.
@Suite struct ServerUserDifferencesTests {
    private typealias Fixture = ServerFixture

    private static let known = AuthUser(
        id: "u1", email: "minji+1@example.com", isEmailVerified: true, displayName: "민지",
        photoURL: URL(string: "https://example.com/minji.png"), providers: [.init(id: .kakao, userID: "1001")],
        isAnonymous: true, claims: ["level": 3])

    private static var session: AuthSession {
        AuthSession(
            accessToken: Secret("old"), refreshToken: Secret("rt"), expiresAt: Fixture.now, user: known,
            provider: .kakao)
    }

    private func refreshed(_ user: String, _ contract: ServerContract = ServerContract()) async throws -> AuthUser {
        let answer = AuthHTTPResponse.json(#"{"accessToken":"at","user":\#(user)}"#)
        return try await Fixture.repository(AnsweringTransport([answer]), contract).refresh(Self.session).user
    }

    private func signedIn(_ body: Data, _ contract: ServerContract = ServerContract()) async throws -> AuthUser {
        let answer = AuthHTTPResponse(status: 200, headers: [.contentType: "application/json"], body: body)
        return try await Fixture.repository(AnsweringTransport([answer]), contract).signIn(with: Fixture.credential)
            .user
    }

    // MARK: What a refresh does not mention

    @Test func aRefreshKeepsWhatItDoesNotMention() async throws {
        #expect(try await refreshed(#"{"id":"u1"}"#) == Self.known)
        var renamed = Self.known
        renamed.displayName = "지민"
        renamed.isAnonymous = false
        #expect(try await refreshed(#"{"id":"u1","displayName":"지민","isAnonymous":false}"#) == renamed)
    }

    @Test func aRefreshRemovesWhatItSaysIsGone() async throws {
        let user = try await refreshed(#"{"id":"u1","email":null,"displayName":"","providers":[],"claims":{}}"#)
        #expect(user.email == nil && user.displayName == nil && user.providers.isEmpty && user.claims.isEmpty)
        #expect(user.photoURL == Self.known.photoURL)
    }

    @Test func aMemberOfAnotherTypeReplacesNothing() async throws {
        let wrong =
            #"{"id":"u1","email":7,"emailVerified":{},"displayName":[],"photoURL":1,"providers":"kakao","claims":[1]}"#
        #expect(try await refreshed(wrong) == Self.known)
    }

    /// The server's whole answer replaces what was known.
    @Test func aReloadKeepsNothing() async throws {
        let answer = AuthHTTPResponse.json(#"{"user":{"id":"u1"}}"#)
        let session = try await Fixture.repository(AnsweringTransport([answer])).reload(Self.session)
        #expect(session.user == AuthUser(id: "u1"))
    }

    // MARK: Identifiers

    @Test func lettersOfAnIdentifierCountUnlessTheContractSaysOtherwise() async throws {
        let error = try await serverFailure { () throws(AuthError) in
            let answer = AuthHTTPResponse.json(#"{"accessToken":"at","user":{"id":"U1"}}"#)
            return try await Fixture.repository(AnsweringTransport([answer])).refresh(Self.session)
        }
        #expect(error.code == .invalidResponse)
        var contract = ServerContract()
        contract.user.idIgnoresCase = true
        #expect(try await refreshed(#"{"id":"U1"}"#, contract) == Self.known)
        let answers = (0..<3).map { _ in AuthHTTPResponse.json(#"{"user":{"id":"U1","displayName":"민지"}}"#) }
        let repository = Fixture.repository(AnsweringTransport(answers), contract)
        let users = [
            try await repository.reload(Self.session).user,
            try await repository.link(Fixture.credential, to: Self.session).user,
            try await repository.updateProfile(ProfileChanges(displayName: .set("민지")), of: Self.session).user,
        ]
        #expect(users.allSatisfy { $0.id == "u1" })
        await #expect(throws: AuthError.self) { try await refreshed(#"{"id":"u2"}"#, contract) }
    }

    // MARK: Values

    @Test(arguments: [
        ("1", true), (#""1""#, true), (#""Y""#, true), (#""y""#, true), (#""TRUE""#, true), (#""True""#, true),
        (#""yes""#, true), ("1.0", true), ("0", false), (#""0""#, false), (#""N""#, false), (#""FALSE""#, false),
        ("null", false), ("2", false), (#""on""#, false), ("[]", false), (#""""#, false),
    ])
    func truthHasManyForms(value: String, isTrue: Bool) async throws {
        let user = try await signedIn(
            Data(#"{"accessToken":"at","user":{"id":"u1","emailVerified":\#(value),"isAnonymous":\#(value)}}"#.utf8))
        #expect(user.isEmailVerified == isTrue && user.isAnonymous == isTrue)
    }

    @Test func everyMemberOfTheUserIsReachable() async throws {
        var contract = ServerContract()
        contract.user.claims = ""
        contract.user.id = "no"
        let user = try await signedIn(
            Data(#"{"accessToken":"at","user":{"no":12345,"nick":"민지","grade":{"name":"GOLD"},"since":1.5}}"#.utf8),
            contract)
        #expect(user.claims == ["no": 12345, "nick": "민지", "grade": ["name": "GOLD"], "since": .number(1.5)])
    }

    /// ``AuthUser`` may be shown and logged.
    @Test func noTokenIsAClaim() async throws {
        var contract = ServerContract()
        contract.user.claims = ""
        contract.session.user = ""
        let beside = #"{"id":"u1","grade":"GOLD","accessToken":"S3CRET","refreshToken":"S3CRET"}"#
        #expect(try await signedIn(Data(beside.utf8), contract).claims == ["id": "u1", "grade": "GOLD"])
        contract.session.user = "user"
        contract.session.accessToken = "user.tokens.access"
        let inside = #"{"user":{"id":"u1","grade":"GOLD","tokens":{"access":"S3CRET"}},"refreshToken":"S3CRET"}"#
        #expect(try await signedIn(Data(inside.utf8), contract).claims == ["id": "u1", "grade": "GOLD"])
    }

    @Test func aRefreshKeepsTheMembersOfTheWholeUser() async throws {
        var contract = ServerContract()
        contract.user.claims = ""
        let user = try await refreshed(#"{"id":"u1","since":7}"#, contract)
        #expect(user.claims == ["id": "u1", "level": 3, "since": 7])
    }

    // MARK: Text

    @Test(arguments: [
        (#"민지\ud83d"#, "민지\u{FFFD}"), (#"\ude00민지"#, "\u{FFFD}민지"), (#"\ud83d\ud83d\ude00"#, "\u{FFFD}😀"),
        (#"\ud83d\ude00"#, "😀"), (#"\\ud83d"#, #"\ud83d"#), (#"\ud83d\u0041"#, "\u{FFFD}A"),
    ])
    func halfAnEscapedCharacterCostsNoSignIn(name: String, shown: String) async throws {
        let user = try await signedIn(
            Data(#"{"accessToken":"at","user":{"id":"u1","displayName":"\#(name)"}}"#.utf8))
        #expect(user.displayName == shown)
    }

    @Test func halfACharacterOfUTF8CostsNoSignIn() async throws {
        for count in 1...3 {
            let name = Data("민지".utf8) + Data("😀".utf8).prefix(count)
            let user = try await signedIn(
                Data(#"{"accessToken":"at","user":{"id":"u1","displayName":""#.utf8) + name + Data(#""}}"#.utf8))
            #expect(user.displayName?.hasPrefix("민지\u{FFFD}") == true)
        }
    }

    @Test func aByteOrderMarkIsSkipped() async throws {
        let body = Data([0xEF, 0xBB, 0xBF]) + Data(#"{"accessToken":"at","user":{"id":"u1","displayName":"민지"}}"#.utf8)
        #expect(try await signedIn(body).displayName == "민지")
    }

    @Test func decomposedHangulIsTheSameText() async throws {
        let name = "민지".decomposedStringWithCanonicalMapping
        var contract = ServerContract()
        contract.user.displayName = "이름"
        let member = "이름".decomposedStringWithCanonicalMapping
        let user = try await signedIn(
            Data(#"{"accessToken":"at","user":{"id":"\#(name)","\#(member)":"\#(name)"}}"#.utf8), contract)
        #expect(user.displayName == "민지" && user.id == "민지")
    }

    /// Two people must not become one by characters that could not be read.
    @Test func anIdentifierIsNotRepaired() async throws {
        await #expect(throws: AuthError.self) {
            try await signedIn(Data(#"{"accessToken":"at","user":{"id":"u\ud83d"}}"#.utf8))
        }
    }

    @Test func aTokenIsNotRepaired() async throws {
        await #expect(throws: AuthError.self) {
            try await signedIn(Data(#"{"accessToken":"a\ud83d","user":{"id":"u1"}}"#.utf8))
        }
    }
}
