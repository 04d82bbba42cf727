import Foundation

/// The callback URLs that no attempt of this process waits for, which may answer one of an earlier process.
///
/// They are tried one after another. While one is tried, or waits until the user is known, only the newest other one is kept.
final class UnclaimedCallbacks: Sendable {
    private let urls: AsyncStream<URL>.Continuation
    private let work: Task<Void, Never>
    private let resume: ResumeAttempt

    init(resume: ResumeAttempt) {
        self.resume = resume
        let (urls, continuation) = AsyncStream<URL>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.urls = continuation
        // Weak, so that the providers are released with the service, and not once the task has seen its cancellation.
        work = TaskSpawner.start { [weak resume] in for await url in urls { await resume?(with: url) } }
    }

    deinit { work.cancel() }

    func add(_ url: URL) {
        if case .dropped = urls.yield(url) { resume.manager.emit(AuthEvent(.callbackIgnored)) }
    }
}
