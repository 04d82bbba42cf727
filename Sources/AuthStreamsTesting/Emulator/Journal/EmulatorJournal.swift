import AuthStreams

/// The requests that an emulator received, in the order they arrived.
///
/// Holds methods, hosts, paths and statuses, never queries, headers or bodies, so it may be printed. It keeps the newest 4096.
///
/// An emulator keeps as many codes, tokens, pages and sessions as a thousand sign-ins need. With more it drops those that were not
/// used for the longest time, and the description of a request says so. Users stay until they are deleted.
public struct EmulatorJournal: Sendable {
    private let store: JournalStore

    init(_ store: JournalStore) {
        self.store = store
    }

    /// The requests so far.
    public var entries: [Entry] { store.entries }

    /// Waits for a matching request. One that arrived earlier counts.
    ///
    /// - Returns: The first match, as soon as it arrives, so its `status` may still be `nil`; `nil` if the waiting task
    ///   was cancelled.
    @discardableResult
    public func waitForRequest(matching fits: @escaping @Sendable (Entry) -> Bool) async -> Entry? {
        await store.first(matching: fits)
    }

    /// Waits for a request to an endpoint. One that arrived earlier counts.
    ///
    /// - Returns: The first one, as soon as it arrives; `nil` if the waiting task was cancelled.
    @discardableResult
    public func waitForRequest(to endpoint: EmulatorEndpoint) async -> Entry? {
        await store.first { endpoint.matches(host: $0.host, path: $0.path) }
    }

    /// One request.
    public struct Entry: Hashable, Sendable {
        /// Its place in the order of arrival, counted from 1.
        package let number: Int
        /// Its method, such as `POST`.
        public let method: String
        /// The production host it was meant for, such as `kauth.kakao.com`.
        public let host: String
        /// The path on that host, such as `/oauth/token`.
        public let path: String
        /// The sender.
        public let caller: Caller
        /// The status of the answer, or `nil` before the answer.
        public internal(set) var status: Int?
        /// What the emulator dropped, as far as this request found out or was the cause.
        package internal(set) var note: String?
    }

    /// The sender of a request.
    public enum Caller: Hashable, Sendable {
        /// The app or the browser.
        case app
        /// An emulated server, such as `socialLogin` asking Kakao whose token it was given.
        case service
    }
}

extension EmulatorJournal.Entry: CustomStringConvertible {
    /// Such as `3 POST kauth.kakao.com/oauth/token 200`, and what was dropped, if anything was.
    public var description: String {
        "\(number) \(method) \(host)\(path) \(status.map(String.init) ?? "…")\(note.map { ", \($0)" } ?? "")"
    }
}
