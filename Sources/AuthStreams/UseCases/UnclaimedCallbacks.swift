import Foundation

/// The callback URLs that no attempt of this process waits for, which may answer one of an earlier process.
///
/// They are tried one after another. While one is tried, or waits until the user is known, only the newest other one is kept.
final class UnclaimedCallbacks: Sendable {
    private struct State {
        var next: URL?
        var isTrying = false
        var task: Task<Void, Never>?
    }

    private let resume: ResumeAttempt
    private let state = Lock(State())

    init(resume: ResumeAttempt) {
        self.resume = resume
    }

    deinit { state.withLock { $0.task }?.cancel() }

    func add(_ url: URL) {
        let begins = state.withLock { state in
            state.next = url
            defer { state.isTrying = true }
            return !state.isTrying
        }
        guard begins else { return }
        let task = TaskSpawner.start { [weak self, resume] in
            while let url = self?.takeNext() { await resume(with: url) }
        }
        state.withLock { if $0.isTrying { $0.task = task } }
    }

    private func takeNext() -> URL? {
        state.withLock { state in
            let next = state.next.take()
            if next == nil { state = State() }
            return next
        }
    }
}
