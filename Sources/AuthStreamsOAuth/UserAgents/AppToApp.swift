public import AuthStreams
public import Foundation

/// Asks another app on the device to sign the person in, and waits for the URL by which it answers.
///
/// The app answers by opening a URL of this app, which hands it to the ``CallbackRouter``. When the person comes back
/// without one, the attempt ends with `cancelled` after a short grace, so it never hangs on an app that was left.
public struct AppToApp: Sendable {
    /// One way to open the other app.
    public struct Launch: Sendable {
        /// What to open. It may carry a challenge or nonce, so it is never printed.
        public var url: URL
        /// Open only if an app takes the link, not the browser.
        public var universalLinksOnly: Bool

        /// Makes a way to open an app.
        public init(_ url: URL, universalLinksOnly: Bool = false) {
            self.url = url
            self.universalLinksOnly = universalLinksOnly
        }
    }

    /// What the other app answered.
    public struct Answer: Sendable {
        /// The callback URL. It may hold a code, so it is never printed.
        public var url: URL
        /// The way by which the app was opened.
        public var launch: Launch
    }

    private let opener: any ApplicationOpener
    private let callbacks: CallbackRouter
    private let wait: AnswerWait

    /// Makes an agent.
    ///
    /// - Parameters:
    ///   - opener: Opens the other app.
    ///   - callbacks: The router that the app hands every incoming URL to.
    ///   - timeLimit: How long the other app may take; ten minutes unless given.
    ///   - grace: How long the callback may come after the person; one second unless given.
    ///   - clock: Measures both.
    public init(
        opener: any ApplicationOpener, callbacks: CallbackRouter, timeLimit: Duration = .seconds(600),
        grace: Duration = .seconds(1), clock: AuthClock = .system
    ) {
        self.opener = opener
        self.callbacks = callbacks
        wait = AnswerWait(timeLimit: timeLimit, grace: grace, clock: clock)
    }

    /// Opens the other app by the first way that works, and waits for its answer.
    ///
    /// - Parameters:
    ///   - launches: The ways to open it, best first.
    ///   - accepts: Whether a URL answers this attempt. Called on any thread.
    ///   - onStep: Hears `waitingForOtherApp` once the app was opened, always before this returns.
    /// - Returns: The answer, or `nil` when nothing could be opened, so that the caller can fall back.
    /// - Throws: ``AuthError`` with code `cancelled` or `timedOut`.
    public func authorize(
        opening launches: [Launch], accepts: @escaping @Sendable (URL) -> Bool,
        onStep: @escaping @Sendable (AuthState.SignInStep) -> Void
    ) async throws(AuthError) -> Answer? {
        let opened = Lock<Launch?>(nil)
        // A URL that comes before the other app was opened is no answer of its.
        let expectation = callbacks.expect { opened.withLock { $0 != nil } && accepts($0) }
        let ending = await wait.run(
            callback: { await expectation.callback().map(Result.success) },
            open: { [opener] in
                for launch in launches {
                    // Noted first: the app may answer before the system reports that it was opened.
                    opened.withLock { $0 = launch }
                    let visit = await opener.open(launch.url, universalLinksOnly: launch.universalLinksOnly)
                    guard let visit else {
                        opened.withLock { $0 = nil }
                        continue
                    }
                    onStep(.waitingForOtherApp)
                    return visit
                }
                return nil
            })
        guard let url = try ending.answer(within: wait.timeLimit), let launch = opened.withLock({ $0 }) else {
            return nil
        }
        return Answer(url: url, launch: launch)
    }

    /// Whether the app is installed, as far as this app may ask.
    ///
    /// - Parameter url: A URL of the app's scheme, which `LSApplicationQueriesSchemes` must list on iOS.
    @MainActor
    public func isInstalled(_ url: URL) -> Bool { opener.canOpen(url) }
}

extension AppToApp.Answer: CustomStringConvertible, CustomReflectable {
    /// Where it came, without the query.
    public var description: String { "answer at \(AuthError.scrubbed(url))" }
    /// A mirror without children, because the query holds a code.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension AppToApp.Launch: CustomStringConvertible, CustomReflectable {
    /// Where it leads, without the query.
    public var description: String { AuthError.scrubbed(url) }
    /// A mirror without children, because the query is the attempt's own.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
