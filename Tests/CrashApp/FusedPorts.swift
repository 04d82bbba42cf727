import AuthStreams
import Foundation

/// A store that passes a point before and after a record is written, and before a lock is asked for.
struct FusedStore: SessionStore {
    let base: any SessionStore
    let fuse: Fuse
    /// Called when a lock is about to be asked for.
    let onAsking: @Sendable (SessionStoreKey) -> Void

    func read(_ key: SessionStoreKey) async throws(AuthError) -> StoredRecord { try await base.read(key) }

    func write(
        _ data: Data?, for key: SessionStoreKey, replacing version: RecordVersion
    ) async throws(AuthError) -> RecordVersion? {
        fuse.pass("record.beforeWrite")
        let written = try await base.write(data, for: key, replacing: version)
        fuse.pass("record.afterWrite")
        return written
    }

    func waitUntilUnlocked() async { await base.waitUntilUnlocked() }
    func changes(of key: SessionStoreKey) -> AsyncStream<Void> { base.changes(of: key) }

    func lock(_ name: SessionStoreKey, waitingAtMost limit: Duration) async throws(AuthError) -> SessionStoreLock {
        fuse.pass("lock.beforeAsking")
        onAsking(name)
        return try await base.lock(name, waitingAtMost: limit)
    }
}

/// A network that passes a point before a request is sent and when the server has answered, and notes which refresh token
/// was sent and when its answer was read.
struct FusedTransport: AuthHTTPTransport {
    let base: any AuthHTTPTransport
    let fuse: Fuse
    let log: ProcessLog

    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        let body = try? JSONDecoder().decode(AuthJSON.self, from: request.body ?? Data())
        let token = body?["refreshToken"]?.string ?? "-"
        fuse.pass("request.beforeSend")
        log.say("sent \(token)")
        var response = try await base.send(request)
        // The time of this process is moved by hand, and the server's is not: its date would be that of a wrong clock.
        response.headers[.date] = nil
        fuse.pass("answer.beforeReading")
        log.say("read \(token)")
        fuse.pass("answer.afterReading")
        return response
    }
}
