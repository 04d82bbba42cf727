import AuthStreams
import Foundation

/// One question for an App Check token, which ends whatever the app's closure does.
struct AppCheckAttempt {
    private let source: @Sendable () async throws -> Secret?
    private let limit: Duration
    private let clock: AuthClock

    /// `nil` for a project without App Check.
    init?(_ project: FirebaseProject, clock: AuthClock) {
        guard let source = project.appCheckToken else { return nil }
        self.source = source
        limit = project.appCheckTimeLimit
        self.clock = clock
    }

    func token() async throws(AuthError) -> Secret? {
        guard !Task.isCancelled else { throw .cancelled }
        let outcome = OneShot<Result<Secret?, AuthError>>()
        // Tasks of their own: a child that ignores its cancellation would keep the request waiting for ever.
        let asking = Task { [source] in
            do { outcome.resolve(.success(try await source())) } catch { outcome.resolve(.failure(.noAppCheck(error))) }
        }
        let watching = Task { [limit, clock] in
            // A sleep that was cancelled is no limit that was reached.
            do { try await clock.sleep(for: limit) } catch { return }
            outcome.resolve(.failure(.lateAppCheck(limit)))
        }
        defer {
            asking.cancel()
            watching.cancel()
        }
        guard let result = await outcome.value() else { throw .cancelled }
        return try result.get()
    }
}

extension AuthError {
    /// What the app's closure threw, as the error of a request that was never sent.
    fileprivate static func noAppCheck(_ error: any Error) -> Self {
        guard let own = error as? AuthError else {
            // Not `cancelled` for a `CancellationError`: the request's task was not, or nobody would be told of this.
            let isNetwork = (error as NSError).domain == NSURLErrorDomain
            return AuthError(
                isNetwork ? .network : .unexpected,
                "The app's App Check closure threw, so nothing was sent. Look at the cause, and at the App Check setup.",
                cause: error)
        }
        return own.ofTheApps("App Check")
    }

    fileprivate static func lateAppCheck(_ limit: Duration) -> Self {
        AuthError(
            .timedOut,
            "The app's App Check closure gave no token within \(limit), so nothing was sent. Try again; if it persists, "
                + "look at the App Check setup.")
    }
}
