import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// The picture of a refresh shows the order in which two processes that share a store use it and the server.
@Suite struct RefreshPictureTests {
    @Test func stepsAreThoseOfTwoProcessesOverOneMemory() async throws {
        let store = MemorySessionStore()
        try await stepsAreThose(of: (store, store))
    }

    @Test func stepsAreThoseOfTwoProcessesOverOneFolder() async throws {
        try await withTemporaryFile(named: "unused", nil) { file in
            let folder = file.deletingLastPathComponent().appending(path: "session")
            try await stepsAreThose(of: (FileSessionStore(folder: folder), FileSessionStore(folder: folder)))
        }
    }

    private func stepsAreThose(of stores: (app: any SessionStore, widget: any SessionStore)) async throws {
        let log = RowLog()
        let (arrived, answer) = (Promise<Void>(), Promise<Void>())
        var account = ScriptedAccount()
        account.refresh = { session in
            log.note("app", "server", "sends \(session.refreshToken?.reveal() ?? "nothing")")
            arrived.resolve(())
            _ = await answer.value()
            log.note("server", "app", "answers a2, r2")
            return Self.session(2)
        }
        let repository = ScriptedRepository(establish: { _ in Self.session(1) }, account: account)
        let app = AppProcess(StepStore(stores.app, of: "app", log), repository)
        _ = try await AuthSignIn(repository: repository, manager: app.manager)(Credential(provider: .kakao)).value
        let widget = AppProcess(StepStore(stores.widget, of: "widget", log), repository)
        try await widget.manager.restore()

        log.clear()
        let first = Task { try await app.refreshing.accessToken(forceRefresh: true) }
        _ = await arrived.value()
        let second = Task { try await widget.refreshing.accessToken(forceRefresh: true) }
        try await wait(for: "the widget to ask for the lock") {
            log.rows.contains(["widget", "store", "asks for the lock"])
        }
        answer.resolve(())
        let results = [["app", try await first.value.reveal()], ["widget", try await second.value.reveal()]]
        let drawn = try PictureTable("refresh-across-processes").sequences[0].rows
        #expect(log.rows + results == drawn)
    }

    private static func session(_ number: Int) -> AuthSession {
        AuthSession(
            accessToken: Secret("a\(number)"), refreshToken: Secret("r\(number)"), expiresAt: nil,
            user: AuthUser(id: "ada"), provider: .kakao)
    }

    private struct AppProcess {
        let manager: SessionManager
        let refreshing: RefreshSession

        init(_ store: StepStore, _ repository: ScriptedRepository) {
            manager = SessionManager(store: store)
            refreshing = RefreshSession(repository: repository, manager: manager)
        }
    }
}

/// The store of one process, which writes down its use for the session.
private struct StepStore: SessionStore {
    private let base: any SessionStore
    private let process: String
    private let log: RowLog
    /// What this process knows of the record.
    private let known = Lock<KeptSession?>(nil)

    init(_ base: any SessionStore, of process: String, _ log: RowLog) {
        (self.base, self.process, self.log) = (base, process, log)
    }

    func read(_ key: SessionStoreKey) async throws(AuthError) -> StoredRecord {
        let record = try await base.read(key)
        if key == .session, let session = news(in: record.data) {
            log.note("store", process, "reads \(session.tokens)")
        }
        return record
    }

    func write(
        _ data: Data?, for key: SessionStoreKey, replacing version: RecordVersion
    ) async throws(AuthError) -> RecordVersion? {
        let next = try await base.write(data, for: key, replacing: version)
        if key == .session, next != nil, let session = news(in: data) {
            let token = session.refreshToken?.reveal() ?? "nothing"
            log.note(process, "store", session.isSent ? "marks \(token) as sent" : "writes \(session.tokens)")
        }
        return next
    }

    func lock(_ name: SessionStoreKey, waitingAtMost limit: Duration) async throws(AuthError) -> SessionStoreLock {
        log.note(process, "store", "asks for the lock")
        let lock = try await base.lock(name, waitingAtMost: limit)
        log.note("store", process, "the lock")
        // What it knew before may be over.
        known.withLock { $0 = nil }
        return SessionStoreLock(
            isHeld: { lock.isHeld },
            release: { [log, process] in
                log.note(process, "store", "releases the lock")
                lock.release()
            })
    }

    func waitUntilUnlocked() async { await base.waitUntilUnlocked() }

    func changes(of key: SessionStoreKey) -> AsyncStream<Void> { base.changes(of: key) }

    /// The session of a record, unless this process knows it.
    private func news(in data: Data?) -> KeptSession? {
        guard let session = data.flatMap({ try? SessionRecord(reading: $0) })?.session else { return nil }
        return known.withLock { known in
            defer { known = session }
            return known == session ? nil : session
        }
    }
}

extension KeptSession {
    fileprivate var tokens: String {
        let tokens = [session?.accessToken, refreshToken].compactMap { $0?.reveal() }
        return (tokens + (isSent ? ["sent"] : [])).joined(separator: ", ")
    }
}
