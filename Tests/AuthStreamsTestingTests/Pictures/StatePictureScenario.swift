import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// A service over doubles that the test controls, and another process that shares its store.
final class StatePictureScenario: Sendable {
    typealias Cause = @Sendable (StatePictureScenario, AuthService) async throws -> Void

    /// What happens for each cause of the picture.
    static let causes: [String: Cause] = [
        "The store holds no session.": { scenario, _ in scenario.letStoreRead() },
        "The store holds a session.": { scenario, _ in scenario.letStoreRead() },
        "The store fails for some seconds.": { scenario, _ in
            scenario.store.fail(.read)
            scenario.letStoreRead()
            scenario.letTimePass()
        },
        "The store can be read again, and holds a session.": { scenario, _ in
            scenario.store.heal()
            scenario.letTimePass()
        },
        "The person passes the gate.": { scenario, _ in scenario.isProven.resolve(()) },
        "The person signs out.": { scenario, auth in
            scenario.letStoreRead()
            try await auth.signOut()
        },
        "A sign-in begins.": { scenario, auth in scenario.run { try await auth.signIn(with: .kakao).value } },
        "It fails, or the person cancels it.": { scenario, _ in
            scenario.pageEnd.resolve(.failure(AuthError(.cancelled, "Scripted.")))
        },
        "It fails, and the store is not read yet.": { scenario, _ in
            scenario.pageEnd.resolve(.failure(AuthError(.network, "Scripted.")))
        },
        "The server makes a session.": { scenario, _ in scenario.pageEnd.resolve(.success(())) },
        "Another user signs in here.": { _, auth in
            _ = try await auth.signIn(credential: Credential(provider: .kakao, userID: "bob", isBound: true)).value
        },
        "Another process signs in.": { scenario, _ in try await scenario.signInElsewhere() },
        "Another user signs in, in another process.": { scenario, _ in try await scenario.signInElsewhere() },
        "Another process signs out.": { scenario, _ in
            let other = scenario.otherProcess()
            _ = await other.states.prefix { $0.user != nil }
            try await other.signOut()
        },
        "The app adopts a session whose user it does not know.": { scenario, auth in
            scenario.run { try await auth.adopt(refreshToken: Secret("old")).value }
        },
        "The app adopts a session whose user it knows.": { scenario, auth in
            scenario.run { try await auth.adopt(refreshToken: Secret("old"), of: ada.user).value }
        },
        "The server adopts the session of another SDK.": { scenario, _ in scenario.isAnswered.resolve(()) },
        "The server refuses the session of another SDK.": { scenario, _ in
            scenario.server.withLock { $0 = .failure(AuthError(.sessionExpired, "Scripted.")) }
            scenario.isAnswered.resolve(())
        },
        "The server adopts a session after all.": { scenario, auth in
            scenario.server.withLock { $0 = .success(()) }
            _ = try await auth.accessToken()
        },
        "The server answers a refresh.": { scenario, auth in
            scenario.server.withLock { $0 = .success(()) }
            _ = try await auth.accessToken(forceRefresh: true)
        },
        "A refresh gets no answer.": { scenario, auth in
            await scenario.refresh(auth, AuthError(.network, "Scripted."))
        },
        "The session ends during a sign-in of another user.": { scenario, auth in
            scenario.run { try await auth.signIn(with: .kakao).value }
            try await wait(for: "the sign-in to begin") { auth.progress != nil }
            await scenario.refresh(auth, AuthError(.sessionExpired, "Scripted."))
        },
        "The server refuses the refresh token.": { scenario, auth in
            await scenario.refresh(auth, AuthError(.sessionExpired, "Scripted."))
        },
        "The server revoked the session.": { scenario, auth in
            await scenario.refresh(auth, AuthError(.sessionExpired, "Scripted.", endsSession: .revoked))
        },
        "The server disabled the account.": { scenario, auth in
            await scenario.refresh(auth, AuthError(.userDisabled, "Scripted."))
        },
        "The key of the tokens is gone.": { scenario, auth in
            await scenario.refresh(auth, AuthError(.sessionExpired, "Scripted.", endsSession: .keyLost))
        },
        "The server refuses a repeated refresh.": { scenario, auth in
            await scenario.refresh(auth, AuthError(.timedOut, "Scripted."))
            await scenario.refresh(auth, AuthError(.sessionExpired, "Scripted."))
        },
        "The account is deleted.": { scenario, auth in
            scenario.server.withLock { $0 = .success(()) }
            try await auth.deleteAccount().value
        },
        "The person withdraws the app's access.": { scenario, auth in scenario.reports.continuation.yield() },
    ]

    static let ada = AuthSession(
        accessToken: Secret("access"), refreshToken: Secret("refresh"), expiresAt: nil,
        user: AuthUser(id: "ada", providers: [.init(id: .kakao, userID: "1001")]), provider: .kakao)

    fileprivate let store = FaultySessionStore()
    /// How the server answers refreshes and adoptions.
    fileprivate let server = Lock<Result<Void, AuthError>>(.success(()))
    /// Lets the server answer an adoption.
    fileprivate let isAnswered = Promise<Void>()
    /// Lets the person pass the gate.
    fileprivate let isProven = Promise<Void>()
    /// The end of the provider's page.
    fileprivate let pageEnd = Promise<Result<Void, AuthError>>()
    fileprivate let reports = AsyncStream<Void>.makeStream()
    private let clock = ManualClock()
    private let reading = Lock<FaultySessionStore.Hold?>(nil)
    private let tasks = Lock<[Task<Void, Never>]>([])

    /// Makes a service that shows a state, in the way that lets a cause follow.
    func reach(_ state: String, for cause: String) async throws -> AuthService {
        switch state {
        case "restoring": return try await restoring(for: cause)
        case "signingIn":
            if cause == "It fails, and the store is not read yet." { holdReading() }
            let auth = service()
            if reading.withLock({ $0 == nil }) { _ = await auth.states.prefix { $0.isSignedOut } }
            run { try await auth.signIn(with: .kakao).value }
            await shows(auth) { if case .signingIn = $0 { true } else { false } }
            return auth
        case "signedOut": return try await signedOut(for: cause)
        default:
            try await storeAda()
            let auth = service()
            await shows(auth) { $0.user != nil }
            if state == "verified" { _ = try await auth.accessToken(forceRefresh: true) }
            if state == "offline" {
                await refresh(auth, AuthError(.network, "Scripted.", cause: URLError(.notConnectedToInternet)))
            }
            return auth
        }
    }

    private func restoring(for cause: String) async throws -> AuthService {
        switch cause {
        case "The person passes the gate.":
            try await storeAda()
            let auth = service(gate: SessionGate(after: .seconds(300)) { [isProven] _ in _ = await isProven.value() })
            await shows(auth) { $0 == .restoring(.waitingForPerson) }
            return auth
        case "The server adopts the session of another SDK.", "The server refuses the session of another SDK.":
            let adoptable = AdoptableSession(refreshToken: Secret("old"))
            let auth = service(adoption: SessionAdoption(find: { adoptable }))
            await shows(auth) { $0 == .restoring(.adopting) }
            return auth
        default:
            if cause == "The store holds a session." { try await storeAda() }
            let hold = holdReading()
            let auth = service()
            await hold.reached()
            return auth
        }
    }

    private func signedOut(for cause: String) async throws -> AuthService {
        switch cause {
        case "The store can be read again, and holds a session.":
            try await storeAda()
            store.fail(.read)
            let auth = service()
            letTimePass()
            await shows(auth) { $0.isSignedOut }
            return auth
        case "The server adopts a session after all.":
            server.withLock { $0 = .failure(AuthError(.unsupportedProvider, "Scripted.")) }
            isAnswered.resolve(())
            let auth = service()
            await shows(auth) { $0.isSignedOut }
            _ = await auth.adopt(refreshToken: Secret("old")).result
            await shows(auth) { $0.isSignedOut }
            return auth
        default:
            let auth = service()
            await shows(auth) { $0.isSignedOut }
            return auth
        }
    }

    private func service(adoption: SessionAdoption? = nil, gate: SessionGate? = nil) -> AuthService {
        let provider = ControlledProvider(pageEnd: pageEnd, reports: reports.stream)
        return AuthService(
            repository: repository, providers: [provider], store: store, callbacks: CallbackRouter(),
            clock: clock.authClock(startingAt: .distantPast), adoption: adoption, gate: gate)
    }

    private var repository: ScriptedRepository {
        var account = ScriptedAccount()
        account.refresh = { [server] session in
            try server.withLock { $0 }.get()
            return session
        }
        return ScriptedRepository(
            adopt: { [server, isAnswered] _ in
                _ = await isAnswered.value()
                try server.withLock { $0 }.get()
                return Self.ada
            }, account: account)
    }

    fileprivate func otherProcess() -> AuthService {
        AuthService(
            repository: ScriptedRepository(), providers: [ScriptedProvider(.kakao, userID: "bob")], store: store,
            callbacks: CallbackRouter())
    }

    fileprivate func signInElsewhere() async throws { _ = try await otherProcess().signIn(with: .kakao).value }

    private func storeAda() async throws {
        let manager = SessionManager(store: store)
        let repository = ScriptedRepository(establish: { _ in Self.ada })
        _ = try await AuthSignIn(repository: repository, manager: manager)(Credential(provider: .kakao)).value
    }

    /// Asks for a new token, to which the server answers so.
    fileprivate func refresh(_ auth: AuthService, _ failure: AuthError) async {
        server.withLock { $0 = .failure(failure) }
        _ = try? await auth.accessToken(forceRefresh: true)
    }

    private func shows(_ auth: AuthService, _ isIt: (AuthState) -> Bool) async {
        _ = await auth.states.prefix(through: isIt)
    }

    @discardableResult
    private func holdReading() -> FaultySessionStore.Hold {
        let hold = store.hold(.read, of: .session)
        reading.withLock { $0 = hold }
        return hold
    }

    fileprivate func letStoreRead() { reading.withLock { $0.take() }?.release() }

    /// Ends each pause of the service, until the scenario ends.
    fileprivate func letTimePass() {
        run { [clock] in
            while !Task.isCancelled {
                await clock.waitForSleepers(count: 1)
                clock.advanceToNextSleeper()
                await Task.yield()
            }
        }
    }

    /// Does something that need not end before the state changes.
    fileprivate func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) {
        let task = Task { _ = try? await body() }
        tasks.withLock { $0.append(task) }
    }

    /// Ends what still waits.
    func end() {
        letStoreRead()
        for task in tasks.withLock({ $0 }) { task.cancel() }
        pageEnd.resolve(.failure(AuthError(.cancelled, "The scenario ends.")))
        for promise in [isAnswered, isProven] { promise.resolve(()) }
        reports.continuation.finish()
    }
}

/// A provider whose page ends when the test says so, and whose reports come from the test.
private struct ControlledProvider: AuthProvider {
    let id = ProviderID.kakao
    let pageEnd: Promise<Result<Void, AuthError>>
    let reports: AsyncStream<Void>

    var revocations: RevocationReports? { RevocationReports { [reports] _ in reports } }

    func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        AuthStream {
            guard let end = await pageEnd.value() else { throw CancellationError() }
            try end.get()
            return Credential(provider: .kakao, userID: "1001", isBound: true)
        }
    }
}
