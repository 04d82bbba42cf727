import AuthStreamsTesting
import Foundation

@testable import AuthStreams

/// What tests of an adoption have at hand: Ada, a store that can fail, and a clock that they move.
protocol AdoptionSuite {
    var store: FaultySessionStore { get }
    var clock: ManualClock { get }
}

extension AdoptionSuite {
    static var ada: AuthSession { .sample(user: "ada", token: "new") }
    static var adas: AdoptableSession { AdoptableSession(refreshToken: Secret("old token"), user: ada.user) }
    static var nameless: AdoptableSession { AdoptableSession(refreshToken: Secret("old token")) }

    /// A server whose answers to an adoption are these, in order, the last again and again.
    func server(_ answers: Result<AuthSession, AuthError>...) -> ScriptedRepository {
        let left = Lock(answers)
        return ScriptedRepository(adopt: { _ in
            try left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }.get()
        })
    }

    /// A server that says when it is asked, and answers once it is let.
    func server(
        _ answer: Result<AuthSession, AuthError>, onceAsked asked: Promise<Void>, released: Promise<Void>
    ) -> ScriptedRepository {
        ScriptedRepository(adopt: { _ in
            asked.resolve(())
            _ = await released.value()
            return try answer.get()
        })
    }

    func service(
        _ repository: ScriptedRepository, find: (@Sendable () async throws -> AdoptableSession?)? = nil,
        discard: @escaping @Sendable () async throws -> Void = {}
    ) -> AuthService {
        AuthService(
            repository: repository, providers: [ScriptedProvider(.kakao)], store: store, callbacks: CallbackRouter(),
            clock: clock.authClock(startingAt: Date(timeIntervalSince1970: 1_000_000)),
            adoption: find.map { SessionAdoption(find: $0, discard: discard) })
    }

    /// Moves the clock to the end of each pause, until it is cancelled.
    func endingPauses() -> Task<Void, Never> {
        Task { [clock] in
            while !Task.isCancelled {
                await clock.waitForSleepers(count: 1)
                clock.advanceToNextSleeper()
                await Task.yield()
            }
        }
    }

    func failure(_ code: AuthError.Code) -> Result<AuthSession, AuthError> {
        .failure(AuthError(code, "Scripted."))
    }

    func kept() async throws -> KeptSession.Content? {
        try await store.read(.session).data.flatMap { try? SessionRecord.content(of: $0) }
    }
}
