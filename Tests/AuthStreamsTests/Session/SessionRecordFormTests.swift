import Foundation
import Testing

@testable import AuthStreams

/// The stored form of the session's record, member by member: what one version writes, every later one reads.
@Suite struct SessionRecordFormTests {
    struct Form: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let json: String
        let record: SessionRecord

        /// - Parameter change: What the record says besides its session.
        init(
            _ name: String, _ json: String, _ session: KeptSession?,
            _ change: (inout SessionRecord.History) -> Void = { _ in }
        ) {
            (testDescription, self.json) = (name, json)
            var history = SessionRecord.History()
            change(&history)
            record = SessionRecord(session, history)
        }
    }

    private static let established = AuthSession(
        accessToken: Secret("a1"), refreshToken: Secret("r1"), expiresAt: Date(timeIntervalSinceReferenceDate: 3600),
        user: AuthUser(
            id: "ada", email: "ada@example.com", isEmailVerified: true, displayName: "Ada",
            photoURL: URL(literal: "https://example.com/ada.png"),
            providers: [.init(id: .kakao, userID: "1001", email: "ada@kakao.com")], claims: ["level": 3]),
        provider: .kakao, issuedAt: Date(timeIntervalSinceReferenceDate: 10),
        openID: .init(idToken: Secret("i1"), scopes: ["openid"]), keyThumbprint: "k1")

    static let forms: [Form] = [
        Form(
            "a session",
            """
            {
              "version": 3,
              "session": {
                "id": "s1", "revision": 4, "renewal": 1, "edition": 2, "accessToken": "a1", "refreshToken": "r1", "expiresAt": 3600,
                "issuedAt": 10, "savedAt": 20, "isSent": true, "provider": "kakao", "idToken": "i1", "scopes": ["openid"],
                "keyThumbprint": "k1",
                "user": {
                  "id": "ada", "email": "ada@example.com", "isEmailVerified": true, "displayName": "Ada",
                  "photoURL": "https://example.com/ada.png", "isAnonymous": false, "claims": {"level": 3},
                  "providers": [{"id": "kakao", "userID": "1001", "email": "ada@kakao.com"}]
                }
              },
              "ended": ["e1", "e2"], "endedCount": 18, "isAdopted": true, "isDiscarded": true,
              "firstVersion": 18446744073709551615
            }
            """,
            KeptSession(
                established, as: "s1", revision: 4, renewal: 1, edition: 2,
                savedAt: Date(timeIntervalSinceReferenceDate: 20),
                isSent: true)
        ) { history in
            history.end(["e1", "e2"])
            (history.endedCount, history.isAdopted, history.isDiscarded) = (18, true, true)
            history.firstVersion = RecordVersion(rawValue: .max)
        },
        Form(
            "an adoptable one",
            """
            {
              "version": 3,
              "session": {
                "id": "\(SessionID(adopting: AdoptableSession(refreshToken: Secret("left"))).rawValue)", "revision": 0,
                "renewal": 0, "edition": 0, "refreshToken": "left"
              },
              "ended": [], "endedCount": 0, "isAdopted": true
            }
            """, KeptSession(AdoptableSession(refreshToken: Secret("left")))
        ) { $0.isAdopted = true },
        Form(
            "one that was found at a launch",
            """
            {
              "version": 3,
              "session": {
                "id": "\(SessionID(adopting: AdoptableSession(refreshToken: Secret("left"))).rawValue)", "revision": 0,
                "renewal": 0, "edition": 0, "refreshToken": "left", "isFoundAtLaunch": true, "provider": "naver",
                "user": {
                  "id": "ada", "isEmailVerified": false, "isAnonymous": false, "claims": {}, "providers": []
                }
              },
              "ended": [], "endedCount": 0
            }
            """,
            KeptSession(
                AdoptableSession(refreshToken: Secret("left"), user: AuthUser(id: "ada"), provider: .naver),
                isFoundAtLaunch: true)),
        Form("none", #"{"version": 3, "ended": ["e1"], "endedCount": 1}"#, nil) { $0.end(["e1"]) },
    ]

    @Test(arguments: forms) func formIsReadAndWritten(_ form: Form) throws {
        #expect(try SessionRecord(reading: Data(form.json.utf8)) == form.record)
        let decoder = JSONDecoder()
        let written = try decoder.decode(AuthJSON.self, from: form.record.data())
        #expect(try written == decoder.decode(AuthJSON.self, from: Data(form.json.utf8)))
    }

    /// The name of an adoptable session is the first 128 bits of the SHA-256 of its refresh token, so that all who adopt
    /// it name it alike, also those of another version.
    @Test func adoptedSessionHasItsTokensHashAsName() {
        #expect(
            SessionID(adopting: AdoptableSession(refreshToken: Secret("left"))).rawValue
                == "360f84035942243c6a36537ae2f86734")
    }

    /// A later form may say more, and what this one does not know.
    @Test(arguments: [
        #"{"id": "s1", "revision": 4, "renewal": 1, "edition": 2, "tokens": {"access": "a1"}, "refreshToken": 7}"#,
        #"{"id": "s1", "revision": 4, "renewal": 1, "edition": 2}"#,
    ])
    func ofANewerFormItsNameAndWhatEndedAreRead(session: String) {
        let json = #"""
            {
              "version": 4, "session": \#(session), "ended": ["e1"], "endedCount": 9, "isAdopted": true, "sealed": [1, null]
            }
            """#
        let found = RecordSnapshot(StoredRecord(data: Data(json.utf8), version: RecordVersion(rawValue: 7)))
        #expect(found.isNewer && !found.isDamaged && found.session == nil)
        #expect(found.stage == .init(id: "s1", revision: 4, renewal: 1, edition: 2))
        var history = SessionRecord.History()
        history.end(["e1"])
        (history.endedCount, history.isAdopted) = (9, true)
        #expect(found.history == history)
    }
}
