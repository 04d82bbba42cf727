import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

@Suite struct DamagedRecordTests {
    @Test(arguments: [
        (#"{"version":1,"accessToken":"eyJ.a-b_c"#, #"{"version":x,"accessToken":"xxxxxxxxx"#),
        (
            #"{"refreshToken":"a\"version\"","usr":{"id":"ädä"}}"#,
            #"{"refreshToken":"xx"xxxxxxxx"","xxx":{"id":"xxxxx"}}"#
        ),
        ("token", "xxxxx"), ("", ""), ("{", "{"),
    ])
    func nothingButItsShapeIsKept(record: String, shape: String) {
        #expect(String(decoding: DamagedRecord.shape(of: Data(record.utf8)), as: UTF8.self) == shape)
    }

    @Test func noBytesThatAreNoTextAreKept() {
        #expect(DamagedRecord.shape(of: Data([0xff, 0x00, 0x7b, 0xc3])) == Data("xx{x".utf8))
    }

    /// The record of every form, cut off at each byte.
    @Test func noTokenOfARecordIsKept() async throws {
        let user = AuthUser(id: "ada-1815", email: "ada@example.com", displayName: "Ada Lovelace")
        let session = Session(
            accessToken: Secret("secret access"), refreshToken: Secret("secretRefresh"), expiresAt: nil, user: user,
            provider: .kakao)
        let record = try SessionRecord(
            .established(session), isUnanswered: true, savedAt: Date(timeIntervalSince1970: 1_800_000_000)
        ).data()
        for length in 0...record.count {
            let shape = String(decoding: DamagedRecord.shape(of: record.prefix(length)), as: UTF8.self)
            #expect(shape.utf8.count == length)
            for value in ["secret", "Refresh\"", "ada", "Ada", "kakao"] { #expect(!shape.contains(value)) }
        }
    }

    @Test func whatIsSetAsideOutlivesASignOutWithoutTheToken() async throws {
        let store = MemorySessionStore()
        try await store.write(Data(#"{"version":1,"refreshToken":"r1""#.utf8), for: .session)
        let auth = AuthService(
            repository: ScriptedRepository(), providers: [], store: store, callbacks: CallbackRouter())
        try await auth.signOut()
        #expect(try await store.read(.damagedSession).data == Data(#"{"version":x,"refreshToken":"xx""#.utf8))
    }
}
