public import Foundation

/// Delivers an incoming URL to the attempt that waits for it, and returns whether there was one.
///
/// An app passes every URL that it is opened with to ``handle(_:)`` (or to `AuthService.handle(_:)`) and handles the
/// others itself. A URL that no attempt accepts is ignored, and the attempts continue to wait.
public final class CallbackRouter: Sendable {
    private struct Attempt: Sendable {
        let id: UInt64
        let accepts: @Sendable (URL) -> Bool
        /// One for each URL that the attempt still takes.
        var callbacks: ArraySlice<Promise<URL>>
    }
    private struct Waiting {
        var attempts: [Attempt] = []
        var nextID: UInt64 = 0
        var handedOver = 0

        /// Removes the attempt's next URL, and the attempt with its last one.
        ///
        /// - Returns: Also the attempt, which is released outside the lock, because its closure may own any object.
        mutating func take(_ id: UInt64) -> (attempt: Attempt, callback: Promise<URL>)? {
            guard let index = attempts.firstIndex(where: { $0.id == id }) else { return nil }
            let attempt = attempts[index]
            guard let callback = attempts[index].callbacks.popFirst() else { return nil }
            if attempts[index].callbacks.isEmpty { attempts.remove(at: index) }
            return (attempt, callback)
        }

        /// Removes the attempt. It is released outside the lock, because its closure may own any object.
        mutating func remove(_ id: UInt64) -> Attempt? {
            attempts.firstIndex { $0.id == id }.map { attempts.remove(at: $0) }
        }
    }
    private let waiting = Lock(Waiting())

    /// Makes a router. One serves a whole app.
    public init() {}

    /// Delivers the URL to the newest attempt that accepts it.
    ///
    /// - Returns: Whether an attempt accepted it. An attempt takes one URL, or the number that it was begun for.
    @discardableResult
    public func handle(_ url: URL) -> Bool {
        // `accepts` is the attempt's own code and may be slow or call back, so it runs outside the lock.
        let attempts = waiting.withLock { state in
            state.handedOver += 1
            return state.attempts
        }
        for attempt in attempts.reversed() where attempt.accepts(url) {
            if let taken = waiting.withLock({ $0.take(attempt.id) }) { return taken.callback.resolve(url) }
        }
        return false
    }

    /// The number of URLs that were passed so far, accepted or not.
    package var handedOver: Int { waiting.withLock { $0.handedOver } }

    /// Begins to wait for a URL. Call it before the page or app is opened.
    ///
    /// - Parameters:
    ///   - count: The number of URLs that the attempt takes, so that none is lost while an earlier one is checked; 1
    ///     unless given.
    ///   - accepts: Returns whether a URL answers this attempt. Called on any thread.
    /// - Returns: The wait. Releasing it ends it.
    public func expect(
        upTo count: Int = 1, _ accepts: @escaping @Sendable (URL) -> Bool
    ) -> CallbackExpectation {
        let callbacks = (0..<max(1, count)).map { _ in Promise<URL>() }
        let id = waiting.withLock { state in
            state.nextID += 1
            state.attempts.append(Attempt(id: state.nextID, accepts: accepts, callbacks: callbacks[...]))
            return state.nextID
        }
        return CallbackExpectation(callbacks: callbacks) { [weak self] in
            _ = self?.waiting.withLock { $0.remove(id) }
        }
    }
}

/// One attempt's wait for its callback URL.
public final class CallbackExpectation: Sendable {
    private let received: [Promise<URL>]
    private let leave: @Sendable () -> Void

    init(callbacks: [Promise<URL>], leave: @escaping @Sendable () -> Void) {
        received = callbacks
        self.leave = leave
    }

    deinit { leave() }

    /// Waits for a callback URL, which may have arrived before this call; `nil` if the task is cancelled.
    ///
    /// - Parameter number: The index of the URL, from 0; `nil` is returned for an index past the count of the wait.
    public func callback(_ number: Int = 0) async -> URL? {
        received.indices.contains(number) ? await received[number].value() : nil
    }
}
