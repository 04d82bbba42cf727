public import AuthStreams
public import Foundation

/// Asks another app on the device to sign the person in, and waits for the URL by which it answers.
///
/// The app answers by opening a URL of this app, which hands it to the ``CallbackRouter``. When the person comes back
/// without one, the attempt ends with `abandoned` after a short grace period, so it does not wait for an app that the person
/// left.
///
/// Where nothing binds the answer to the attempt, another app or page can answer with a made-up refusal, such as
/// `error=cancelled`. The attempt then ends, and the person has to sign in again.
public struct AppToApp: Sendable {
    /// One way to open the other app.
    public struct Launch: Sendable {
        /// What to open. It may carry a challenge or nonce, so it is never printed.
        public var url: URL
        /// Whether to open the URL only if an app, and not the browser, opens the link.
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
    ///   - grace: How long the callback may take after the person is back in the app; one second unless given.
    ///   - clock: Measures both.
    public init(
        opener: any ApplicationOpener, callbacks: CallbackRouter, timeLimit: Duration = .seconds(600),
        grace: Duration = .seconds(1), clock: AuthClock = .system
    ) {
        self.opener = opener
        self.callbacks = callbacks
        wait = AnswerWait(timeLimit: timeLimit, grace: grace, clock: clock)
    }

    /// The outcome of redeeming an answer.
    public enum Redemption<Value: Sendable>: Sendable {
        /// The answer was this attempt's.
        case redeemed(Value)
        /// The server refused the answer's code as invalid: another app made it up, or it belongs to an earlier attempt.
        case refused(AuthError)
    }

    /// Opens the other app by the first way that works, waits for its answer and redeems it.
    ///
    /// Any app or page can open a URL of this app's scheme. So an answer counts only once the other app has opened, and one
    /// that the server refuses does not end the attempt: the wait resumes, at most ``resumptions`` times, until the time limit.
    ///
    /// ```
    /// open ──► opened ──► wait ──► answer ──► redeem ──► redeemed ... the value
    ///   │                  ▲                    └──────► refused ──┐
    ///   └──► nothing: nil  └─────────── at most 3 times ───────────┘
    /// ```
    ///
    /// - Parameters:
    ///   - launches: The ways to open it, best first.
    ///   - redirectURI: Where the answer comes, for the explanation of an attempt without an answer.
    ///   - request: Receives the step `waitingForOtherApp` once the app was opened, always before the answer is redeemed, and
    ///     as warnings the refusals after which the wait resumed.
    ///   - accepts: Whether a URL has the form of an answer. Called on any thread.
    ///   - redeem: Makes a value of the answer. What it throws ends the attempt.
    /// - Returns: The value, or `nil` when nothing could be opened, so that the caller can fall back.
    /// - Throws: ``AuthError``: `abandoned` when the person came back and no URL arrived, `timedOut`, `cancelled`, or what
    ///   `redeem` throws. After a refused answer, the first refusal in place of `abandoned` and `timedOut`.
    public func authorize<Value: Sendable>(
        opening launches: [Launch], comingBackTo redirectURI: URL, reportingTo request: AuthRequest,
        accepts: @escaping @Sendable (URL) -> Bool, redeem: (Answer) async throws -> Redemption<Value>
    ) async throws(AuthError) -> Value? {
        let deadline = wait.clock.uptime + wait.timeLimit
        let handedOver = callbacks.handedOver
        for launch in launches {
            let expectation = callbacks.expect(upTo: Self.resumptions + 1, accepts)
            var ending = await open(launch, waitingOn: expectation, reportingTo: request)
            var refusals: [AuthError] = []
            while true {
                let url: URL?
                do throws(AuthError) {
                    url = try ending.answer(
                        within: wait.timeLimit, by: callbacks.wayBack(to: redirectURI, since: handedOver))
                } catch {
                    // A real misconfiguration shows in the first refusal; that nothing came after it says less.
                    throw error.code == .cancelled ? error : refusals.first ?? error
                }
                guard let url else { break }
                switch try await authErrors({ try await redeem(Answer(url: url, launch: launch)) }) {
                case .redeemed(let value): return value
                case .refused(let error):
                    refusals.append(error)
                    guard refusals.count <= Self.resumptions else { throw refusals[0] }
                    request.onWarning(error)
                }
                request.onStep(.waitingForOtherApp)
                ending = await resume(waitingOn: expectation, refusals.count, until: deadline)
            }
        }
        return nil
    }

    /// How many refused answers do not end an attempt: 3.
    public static let resumptions = 3

    private func open(
        _ launch: Launch, waitingOn expectation: CallbackExpectation, reportingTo request: AuthRequest
    ) async -> AnswerWait.Ending {
        let visit = OneShot<ApplicationVisit>()
        return await wait.run(
            callback: {
                // The app may answer before the system reports that it opened. What came before an app that did not open
                // is no answer.
                guard let url = await expectation.callback(), await visit.value() != nil else { return nil }
                return .success(url)
            },
            open: { [opener] in
                guard let opened = await opener.open(launch.url, universalLinksOnly: launch.universalLinksOnly) else {
                    return nil
                }
                request.onStep(.waitingForOtherApp)
                visit.resolve(opened)
                return opened
            })
    }

    /// Waits for the next answer, until the time limit. A refused answer has brought this app to the front, so the person's
    /// return says nothing from then on.
    private func resume(
        waitingOn expectation: CallbackExpectation, _ number: Int, until deadline: Duration
    ) async -> AnswerWait.Ending {
        var wait = wait
        wait.timeLimit = max(.zero, deadline - wait.clock.uptime)
        return await wait.run(
            callback: { await expectation.callback(number).map(Result.success) }, open: { .unobservable })
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
