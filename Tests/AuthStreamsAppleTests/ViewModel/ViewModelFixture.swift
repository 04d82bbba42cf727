import AuthStreams
import AuthStreamsApple
import AuthStreamsTesting

/// A service with a Kakao that the test holds, and a Google that agrees at once.
@MainActor
struct ViewModelFixture {
    /// Lets the person at Kakao answer.
    let answer = Promise<Result<Void, AuthError>>()
    /// The attempts at Kakao so far.
    let attempts = Lock(0)
    /// The person at Kakao is asked.
    let asked = Promise<Void>()
    /// A cancelled attempt at Kakao.
    let cancelled = Promise<Void>()
    let repository: ScriptedRepository
    let auth: AuthService

    init(account: ScriptedAccount = ScriptedAccount()) {
        repository = ScriptedRepository(account: account)
        let kakao = ScriptedProvider(.kakao) { [answer, asked, attempts, cancelled] request in
            attempts.withLock { $0 += 1 }
            request.onStep(.presenting)
            asked.resolve(())
            guard let answer = await answer.value() else {
                cancelled.resolve(())
                throw CancellationError()
            }
            try answer.get()
            return Credential(provider: .kakao, idToken: Secret("token"), userID: "1001", isBound: true)
        }
        auth = AuthService(
            .repository(repository), providers: [.provider(kakao), .provider(ScriptedProvider(.google))],
            platform: .isolated())
    }
}

extension AuthViewModel {
    /// Waits until the model is as wished.
    func wait(until condition: (AuthViewModel) -> Bool) async {
        final class Owner {}
        let owner = Owner()
        let (changes, change) = AsyncStream<Void>.makeStream()
        observe(for: owner) { _, _ in change.yield() }
        for await _ in changes where condition(self) { break }
        withExtendedLifetime(owner) {}
    }

    /// Waits until the service has no user and knows it.
    func waitUntilSignedOut() async { await wait { $0.state == .signedOut(nil) } }
}

/// Writes down what a closure received.
@MainActor
final class Record<Element> {
    var elements: [Element] = []
}
