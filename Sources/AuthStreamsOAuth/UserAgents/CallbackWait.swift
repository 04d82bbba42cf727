import AuthStreams
import Foundation

/// One wait for a callback: opens a page or an app, and ends with the first of these events.
///
/// ```
/// open ──► callback ............................ answered
///      ──► no callback will come ............... failed
///      ──► nothing opened ...................... notOpened
///      ──► person is back ──► grace ............ returned
///      ──► time limit .......................... late
///      ──► task cancelled ...................... cancelled
/// ```
///
/// The callback has precedence, even if another end was noticed first.
struct CallbackWait: Sendable {
    enum Outcome: Sendable {
        case answered(URL)
        case failed(AuthError)
        case notOpened
        case returned
        case late
        case cancelled
    }

    var timeLimit: Duration
    let grace: Duration
    let clock: AuthClock

    /// - Parameters:
    ///   - callback: Waits for the callback, or for the reason why none will come; `nil` if its task is cancelled.
    ///   - open: Opens the page or app; `nil` when nothing opened.
    @inline(never)  // Not repeated in each of its callers.
    func run(
        callback: @escaping @Sendable () async -> Result<URL, AuthError>?,
        open: @escaping @MainActor @Sendable () async -> ApplicationVisit?
    ) async -> Outcome {
        await withTaskGroup(of: Outcome.self) { group in
            group.addTask {
                switch await callback() {
                case .success(let url)?: .answered(url)
                case .failure(let error)?: .failed(error)
                case nil: .cancelled
                }
            }
            group.addTask {
                guard !Task.isCancelled, let visit = await open() else {
                    return Task.isCancelled ? .cancelled : .notOpened
                }
                await visit.waitForReturn()
                // The system brings this app to the front before it delivers the callback, so coming back is not an end.
                return await isOver(after: grace) ? .returned : .cancelled
            }
            group.addTask { await isOver(after: timeLimit) ? .late : .cancelled }

            var outcome = await group.next() ?? .cancelled
            group.cancelAll()
            for await later in group {
                if case .answered = later { outcome = later }
            }
            return outcome
        }
    }

    /// Returns whether that much time passed; `false` if the task was cancelled before.
    private func isOver(after pause: Duration) async -> Bool {
        do { try await clock.sleep(for: pause) } catch { return false }
        return true
    }
}

extension CallbackWait.Outcome {
    /// Whether a browser waits for a page about this outcome.
    var isTold: Bool {
        switch self {
        case .answered, .failed: true
        case .notOpened, .returned, .late, .cancelled: false
        }
    }

    /// Returns the callback URL, or throws the error of an attempt that ended without one; `nil` if nothing opened.
    ///
    /// - Parameters:
    ///   - timeLimit: The limit of the whole attempt.
    ///   - callbackAdvice: How the callback would have come, for the explanation.
    func answer(within timeLimit: Duration, by callbackAdvice: @autoclosure () -> String) throws(AuthError) -> URL? {
        switch self {
        case .answered(let url): url
        case .failed(let error): throw error
        case .notOpened: nil
        case .returned:
            throw AuthError(
                .abandoned,
                "The person came back and no callback URL arrived. They may have turned back on purpose. \(callbackAdvice())"
            )
        case .late: throw AuthError(.timedOut, "No callback URL arrived within \(timeLimit). \(callbackAdvice())")
        case .cancelled: throw .cancelled
        }
    }
}

extension CallbackRouter {
    /// Returns what to check if a callback URL does not reach this router, for engineers.
    ///
    /// - Parameter count: The router's number of URLs when the attempt began.
    func callbackAdvice(to redirectURI: URL, since count: Int) -> String {
        let scheme = redirectURI.scheme ?? ""
        let arrived = handedOver - count
        let handedOver =
            arrived == 0
            ? "The router that the provider waits on was handed no URL during the attempt."
            : "URLs handed to the router during the attempt: \(arrived). This attempt took none of them."
        return """
            If they agreed: the callback comes to \(AuthError.scrubbed(redirectURI)). Check that the app's Info.plist lists \
            the scheme '\(scheme)' under CFBundleURLTypes (or that the universal link is associated), that the provider's \
            console names the same, that SwiftUI's onOpenURL or the scene delegate's scene(_:openURLContexts:) hands each \
            URL to AuthService.handle(_:), that the service is still alive then, and that service and providers share one \
            CallbackRouter. \(handedOver)
            """
    }
}
