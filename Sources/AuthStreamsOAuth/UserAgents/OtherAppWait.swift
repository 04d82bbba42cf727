public import AuthStreams
public import Foundation

/// Asks another app on the device to sign the person in, and waits for the URL by which it answers.
///
/// The app answers by opening a URL of this app, which passes it to the `CallbackRouter`. If the person comes back
/// without one, the attempt ends with `abandoned` after a short grace period, so it does not wait for an app that the
/// person left.
///
/// If the answer is not bound to the attempt, another app or page can answer with a made-up refusal, such as
/// `error=cancelled`. The attempt then ends, and the person has to sign in again.
public struct OtherAppWait: Sendable {
    /// One way to open the other app.
    public struct Launch: Sendable {
        /// The URL to open. It may contain a challenge or nonce, in its path too, so only scheme and host are printed.
        package var url: URL
        /// Whether to open the URL only if an app, and not the browser, opens the link.
        public var universalLinksOnly: Bool

        /// Makes a way to open an app.
        public init(_ url: URL, universalLinksOnly: Bool = false) {
            self.url = url
            self.universalLinksOnly = universalLinksOnly
        }
    }

    /// The answer of the other app.
    public struct Answer: Sendable {
        /// The callback URL. It may hold a code, so it is never printed.
        public let url: URL
        /// The way by which the app was opened.
        public let launch: Launch
        private let attempt: Attempt
        private let refusals: [AuthError]

        fileprivate init(_ url: URL, to attempt: Attempt, after refusals: [AuthError]) {
            self.url = url
            self.launch = attempt.launch
            self.attempt = attempt
            self.refusals = refusals
        }
    }

    private let opener: any ApplicationOpener
    let callbacks: CallbackRouter
    private let wait: CallbackWait

    /// Makes an agent.
    ///
    /// - Parameters:
    ///   - opener: Opens the other app.
    ///   - callbacks: The router that the app passes every incoming URL to.
    ///   - timeLimit: How long the other app may take; ten minutes unless given.
    ///   - grace: How long the callback may take after the person is back in the app; one second unless given.
    ///   - clock: Measures both.
    public init(
        opener: any ApplicationOpener, callbacks: CallbackRouter, timeLimit: Duration = .seconds(600),
        grace: Duration = .seconds(1), clock: AuthClock = .system
    ) {
        self.opener = opener
        self.callbacks = callbacks
        wait = CallbackWait(timeLimit: timeLimit, grace: grace, clock: clock)
    }

    /// Opens the other app by the first way that works, and waits for its answer.
    ///
    /// Any app or page can open a URL of this app's scheme. So an answer counts only once the other app has opened, and one
    /// that the server refuses does not end the attempt: ``Answer/next(after:)`` resumes the wait.
    ///
    /// ```
    /// open ──► opened ──► wait ──► answer ──► accepted by the server
    ///   │                  ▲         └──────► refused ──┐
    ///   └──► nothing: nil  └────── at most 3 times ─────┘
    /// ```
    ///
    /// - Parameters:
    ///   - launches: The ways to open it, best first.
    ///   - redirectURI: The URL of the answer, for the explanation of an attempt without an answer.
    ///   - request: Receives the step `waitingForOtherApp` once the app was opened, always before an answer is
    ///     returned, and as warnings the refusals after which the wait resumed.
    ///   - accepts: Returns whether a URL has the form of an answer. Called on any thread.
    /// - Returns: The answer, or `nil` if nothing could be opened, so that the caller can fall back.
    /// - Throws: `AuthError`: `abandoned` if the person came back and no URL arrived, `timedOut` or `cancelled`.
    @inline(never)  // Not repeated in each of its callers.
    public func answer(
        opening launches: [Launch], comingBackTo redirectURI: URL, reportingTo request: AuthRequest,
        accepts: @escaping @Sendable (URL) -> Bool
    ) async throws(AuthError) -> Answer? {
        let deadline = wait.clock.uptime + wait.timeLimit
        let handedOver = callbacks.handedOver
        return try await request.keeping(nil) { () async throws(AuthError) in
            for launch in launches {
                let attempt = Attempt(
                    launch: launch, expectation: callbacks.expect(upTo: Self.resumptions + 1, accepts),
                    request: request, wait: wait, deadline: deadline,
                    callbackAdvice: { [callbacks] in callbacks.callbackAdvice(to: redirectURI, since: handedOver) })
                if let answer = try await attempt.answer(opening: opener) { return answer }
            }
            return nil
        }
    }

    /// The number of refused answers that do not end an attempt: 3.
    package static let resumptions = 3

    /// Returns whether the app is installed, if this app is allowed to query that.
    ///
    /// - Parameters:
    ///   - url: A URL of the app's scheme, which `LSApplicationQueriesSchemes` must list on iOS.
    ///   - redirectURI: The URL of its answer, whose scheme `CFBundleURLTypes` must list.
    /// - Throws: `misconfigured` if this app is not set up to open the other one or to receive its answer. The answer of an app
    ///   that was opened all the same would be lost.
    @MainActor
    public func isInstalled(_ url: URL, answeringAt redirectURI: URL) throws(AuthError) -> Bool {
        try opener.validateConfiguration(toOpen: url, answeringAt: redirectURI)
        return opener.canOpen(url)
    }
}

extension OtherAppWait.Answer {
    /// Waits for the next answer of the same attempt, after the server refused this one's code as invalid.
    ///
    /// Another app made the code up, or it belongs to an earlier attempt. The wait resumes at most three times, until
    /// the attempt's time limit. An answer that arrived meanwhile is returned at once.
    ///
    /// - Throws: `AuthError`: `cancelled`, or the attempt's first refusal if no other answer came.
    public func next(after refusal: AuthError) async throws(AuthError) -> OtherAppWait.Answer {
        let refusals = refusals + [refusal]
        guard refusals.count <= OtherAppWait.resumptions else { throw refusals[0] }
        attempt.request.onWarning(refusal)
        attempt.request.onStep(.waitingForOtherApp)
        do throws(AuthError) {
            if let url = try await attempt.url(number: refusals.count) {
                return OtherAppWait.Answer(url, to: attempt, after: refusals)
            }
        } catch  where error.code == .cancelled {
            throw error
        } catch {}
        // The first refusal shows a real misconfiguration better than the missing answer after it.
        throw refusals[0]
    }
}

/// One opening of the other app, and the wait for its answers. The wait ends when the last answer is released.
private struct Attempt: Sendable {
    let launch: OtherAppWait.Launch
    let expectation: CallbackExpectation
    let request: AuthRequest
    let wait: CallbackWait
    let deadline: Duration
    /// The expected callback, for the explanation of an attempt without an answer.
    let callbackAdvice: @Sendable () -> String

    /// The first answer; `nil` when the app did not open.
    @inline(never)  // Not repeated in each of its callers.
    func answer(opening opener: any ApplicationOpener) async throws(AuthError) -> OtherAppWait.Answer? {
        let visit = Promise<ApplicationVisit>()
        let outcome = await wait.run(
            callback: { [expectation] in
                // The app may answer before the system reports that it opened. If the app did not open, an answer does
                // not count.
                guard let url = await expectation.callback(), await visit.value() != nil else { return nil }
                return .success(url)
            },
            open: { [launch, request] in
                guard let opened = await opener.open(launch.url, universalLinksOnly: launch.universalLinksOnly) else {
                    return nil
                }
                request.onStep(.waitingForOtherApp)
                visit.resolve(opened)
                return opened
            })
        return try outcome.answer(within: wait.timeLimit, by: callbackAdvice())
            .map { OtherAppWait.Answer($0, to: self, after: []) }
    }

    /// The URL of a later answer. A refused answer has brought this app to the front, so the person's return is ignored
    /// from then on.
    func url(number: Int) async throws(AuthError) -> URL? {
        var wait = wait
        wait.timeLimit = max(.zero, deadline - wait.clock.uptime)
        let outcome = await wait.run(
            callback: { [expectation] in await expectation.callback(number).map(Result.success) },
            open: { .unobservable })
        return try outcome.answer(within: self.wait.timeLimit, by: callbackAdvice())
    }
}

extension OtherAppWait.Answer: DescriptionOnly {
    /// The URL without the query, which holds a code.
    public var description: String { "answer at \(AuthError.scrubbed(url))" }
}

extension OtherAppWait.Launch: DescriptionOnly {
    /// Scheme and host of the URL; path and query are the attempt's own.
    public var description: String { "\(url.scheme ?? "")://\(url.host() ?? "")" }
}
