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
        let session = AuthSession(
            accessToken: Secret("secret access"), refreshToken: Secret("secretRefresh"), expiresAt: nil, user: user,
            provider: .kakao)
        let record = try SessionRecord(KeptSession(session, as: "0f", isSent: true)).data()
        for length in 0...record.count {
            let shape = String(decoding: DamagedRecord.shape(of: record.prefix(length)), as: UTF8.self)
            #expect(shape.utf8.count == length)
            for value in ["secret", "Refresh\"", "ada", "Ada", "kakao"] { #expect(!shape.contains(value)) }
        }
    }

    private static func record(version: Int = 3, _ kept: KeptSession) throws -> Data {
        var record = SessionRecord(kept)
        record.history.end(["e"])
        let text = String(decoding: try record.data(), as: UTF8.self)
        return Data(text.replacing(#""version":3"#, with: #""version":\#(version)"#).utf8)
    }

    private static func snapshot(_ data: Data) -> RecordSnapshot {
        RecordSnapshot(StoredRecord(data: data, version: RecordVersion(rawValue: 7)))
    }

    /// It was seen once, and the reading before the write fails.
    @Test func damagedRecordThatCannotBeReadAgainIsWrittenAgain() throws {
        var machine = SessionStateMachine()
        machine.restored(KeptSession(.sample(user: "ada")))
        let version = try #require(machine.storage.known?.version)
        let now = Timestamp(date: Date(), uptime: .zero)
        _ = machine.observed(RecordSnapshot(StoredRecord(data: Data("{".utf8), version: version)), at: now)
        machine.storage.beginWriting()
        let attempt = try machine.writeBegan(over: .failure(AuthError(.storage, "Scripted.")), at: now).get()
        #expect(attempt?.record.session?.session == .sample(user: "ada"))
        #expect(attempt?.found.version == version)
    }

    /// Another process may have written it again, which the failed reading does not say.
    @Test func answerIsKeptWhereADamagedRecordCannotBeReadAgain() throws {
        var machine = SessionStateMachine()
        machine.restored(KeptSession(.sample(user: "ada")))
        let now = Timestamp(date: Date(), uptime: .zero)
        let refresh = machine.refreshBegan()
        let sent = refresh.flatMap { machine.request(for: $0) }
        let request = try #require(sent)
        let damage = StoredRecord(data: Data("{".utf8), version: RecordVersion(rawValue: 9))
        _ = machine.observed(RecordSnapshot(damage), at: now)
        let isKept = machine.answerArrived(.sample(user: "ada", token: "next"), to: request, at: now)
        #expect(isKept)
        machine.storage.beginWriting()
        let attempt = machine.writeBegan(over: .failure(AuthError(.storage, "Scripted.")), at: now)
        #expect(throws: AuthError.self) { _ = try attempt.get() }
        #expect(machine.storage.pending?.next?.session?.accessToken == Secret("next-of-ada"))
        #expect(machine.storage.retryAt != nil)
    }

    /// What is under the damage may be what the write stored.
    @Test func damageDoesNotSayWhatBecameOfAFailedWrite() {
        var storage = StorageStateMachine()
        let whole = RecordSnapshot(SessionRecord(KeptSession(.sample(user: "ada"), as: "a")))
        let other = KeptSession.Stage(id: "b")
        storage.read(whole)
        #expect(!storage.mayHold(other))
        storage.writeMayHaveLanded()
        storage.read(Self.snapshot(Data("{".utf8)))
        #expect(storage.mayHold(other))
        storage.read(whole)
        #expect(!storage.mayHold(other))
    }

    @Test func recordThatIsCutOffIsDamaged() throws {
        let session = KeptSession(.sample(user: "ada"), as: "0f", revision: 1, edition: 1, isSent: true)
        let adoptable = KeptSession(AdoptableSession(refreshToken: Secret("old"), user: AuthUser(id: "ada")))
        for record in try [Self.record(session), Self.record(adoptable), Self.record(version: 1001, session)] {
            #expect(!Self.snapshot(record).isDamaged)
            for length in 0..<record.count {
                let found = Self.snapshot(record.prefix(length))
                #expect(found.isDamaged && found.stage == nil && found.history.ended.isEmpty, "\(length)")
            }
        }
    }

    /// No process has counted so far. Adding one to such a number could overflow.
    @Test(
        arguments: ["revision", "renewal", "edition", "endedCount"],
        ["9223372036854775807", "1000000001", "-1", "-9223372036854775808", "9223372036854775808", "1.5", "1e400"])
    func countThatIsOutOfRangeIsDamage(member: String, number: String) throws {
        let session = KeptSession(.sample(user: "ada"), as: "0f", revision: 1, renewal: 1, edition: 1)
        let whole = String(decoding: try Self.record(session), as: UTF8.self)
        let record = whole.replacing(#""\#(member)":1"#, with: #""\#(member)":\#(number)"#)
        #expect(record != whole && !Self.snapshot(Data(whole.utf8)).isDamaged)
        #expect(Self.snapshot(Data(record.utf8)).isDamaged)
        // A newer version may count otherwise.
        let newer = Self.snapshot(Data(record.replacing(#""version":3"#, with: #""version":1001"#).utf8))
        #expect(newer.history.endedCount <= 1)
    }

    /// Numbers that are the highest once one is added, and dates that no clock shows.
    @Test func sessionWithExtremeNumbersLives() async throws {
        let store = MemorySessionStore()
        let far = Date(timeIntervalSinceReferenceDate: 1e300)
        var session = AuthSession.sample(user: "ada")
        (session.expiresAt, session.issuedAt) = (far, far)
        let last = 999_999_999
        var record = SessionRecord(KeptSession(session, as: "", revision: last, renewal: last, edition: last))
        record.session?.savedAt = Date(timeIntervalSinceReferenceDate: -1e300)
        record.history.endedCount = last
        try await store.write(record.data(), for: .session)
        let manager = SessionManager(store: store)
        #expect(try await manager.restore() == session.user)
        session.user.displayName = "Ada"
        _ = try await manager.commit(session, to: #require(manager.read { $0.request() }))
        session.accessToken = Secret("next")
        let refresh = try #require(manager.refreshBegan())
        _ = try await manager.commit(session, to: #require(manager.read { $0.request(for: refresh) }))
        #expect(
            manager.read { $0.kept?.stage } == .init(id: "", revision: last, renewal: last + 1, edition: last + 1))
        try await manager.commit(.sample(user: "bob"), by: manager.begin())
        let next = try SessionRecord(reading: #require(try await store.read(.session).data))
        #expect(next.session?.userID == "bob" && next.history.endedCount == 1_000_000_000)
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
