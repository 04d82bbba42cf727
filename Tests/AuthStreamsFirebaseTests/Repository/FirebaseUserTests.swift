import AuthStreams
import AuthStreamsFirebase
import Foundation
import Testing

/// The user as Firebase has them now, and the changes of their profile.
@Suite struct FirebaseUserTests {
    private func repository(_ transport: any AuthHTTPTransport) -> FirebaseRepository {
        FirebaseRepository(project: Fixture.project, transport: transport, clock: Fixture.clock)
    }

    private func account(_ id: String = "uid-1", _ more: String = "") -> AuthHTTPResponse {
        .json(#"{"users":[{"localId":"\#(id)","displayName":"민지","emailVerified":true,"email":"a@b.c"\#(more)}]}"#)
    }

    @Test func aReloadTakesTheUserAloneWithTheCurrentClaims() async throws {
        let transport = ScriptedTransport(account("uid-1", #","customAttributes":"{\"role\":\"admin\"}""#))
        let session = try await repository(transport).reload(Fixture.session)
        #expect(transport.requests.map { $0.url.lastPathComponent } == ["accounts:lookup"])
        #expect(session.user.displayName == "민지" && session.user.isEmailVerified)
        #expect(session.user.claims == ["role": "admin"])
        #expect(session.accessToken == Fixture.session.accessToken && session.provider == Fixture.session.provider)
    }

    @Test func anAnswerOfAnotherUserIsRefused() async throws {
        let repository = repository(ScriptedTransport(account("uid-2")))
        let error = try await failure { () throws(AuthError) in try await repository.reload(Fixture.session) }
        #expect(error.code == .invalidResponse)
    }

    @Test(arguments: [
        ("USER_NOT_FOUND", AuthError.Code.userNotFound, false), ("USER_DISABLED", .userDisabled, false),
        ("TOKEN_EXPIRED", .invalidCredential, true), ("INVALID_ID_TOKEN", .invalidCredential, true),
    ])
    func aRefusalIsOfTheUserOrOfTheIDToken(word: String, code: AuthError.Code, refuses: Bool) async throws {
        let answer = AuthHTTPResponse.json(#"{"error":{"code":400,"message":"\#(word)"}}"#, status: 400)
        for name in ["reload", "profile"] {
            let repository = repository(ScriptedTransport(answer))
            let error = try await failure { () throws(AuthError) in
                name == "reload"
                    ? try await repository.reload(Fixture.session)
                    : try await repository.updateProfile(ProfileChanges(displayName: .remove), of: Fixture.session)
            }
            #expect(error.code == code)
            #expect(error.classification.refusesAccessToken == refuses)
        }
    }

    @Test func onlyWhatChangesIsSent() async throws {
        let picture = URL(string: "https://pictures.example/1.jpg")
        let rows: [(ProfileChanges, [String: AuthJSON])] = [
            (ProfileChanges(displayName: .set("민지")), ["displayName": "민지"]),
            (
                ProfileChanges(displayName: .remove, photoURL: picture.map { .set($0) }),
                ["photoUrl": "https://pictures.example/1.jpg", "deleteAttribute": ["DISPLAY_NAME"]]
            ),
            (
                ProfileChanges(displayName: .remove, photoURL: .remove),
                ["deleteAttribute": ["DISPLAY_NAME", "PHOTO_URL"]]
            ),
        ]
        for (changes, members) in rows {
            let transport = ScriptedTransport(.json(#"{"localId":"uid-1"}"#), account())
            let session = try await repository(transport).updateProfile(changes, of: Fixture.session)
            #expect(transport.requests.map { $0.url.lastPathComponent } == ["accounts:update", "accounts:lookup"])
            let own: [String: AuthJSON] = ["idToken": .string(Fixture.idToken()), "returnSecureToken": true]
            #expect(transport.requests[0].json == .object(own.merging(members) { $1 }))
            #expect(session.user.displayName == "민지", "As Firebase has it.")
        }
    }

    @Test func tokensThatReplaceTheOldOnesAreTaken() async throws {
        let token = Fixture.idToken(["fresh": true])
        let transport = ScriptedTransport(
            .json(#"{"localId":"uid-1","idToken":"\#(token)","refreshToken":"next","expiresIn":"60"}"#), account())
        let session = try await repository(transport).updateProfile(
            ProfileChanges(displayName: .set("민지")), of: Fixture.session)
        #expect(session.accessToken == Secret(token) && session.refreshToken == Secret("next"))
        #expect(transport.requests[1].json == ["idToken": .string(token)])
    }
}
