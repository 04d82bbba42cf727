import AuthStreams

/// The six steps of the pipeline, as a test writes them down in the order in which they happened.
enum PipelineStep: Hashable, Sendable {
    /// 1. The person taps a button.
    case tap
    /// 2. The provider is asked for a credential.
    case authenticate
    /// 3. Its stream delivers one `Result`.
    case result(Ending)
    /// 4. A credential goes to the use case …
    case token
    /// … and a failure goes to the screen as a message.
    case message(AuthError.Code)
    /// 5. The use case asks the repository.
    case repository
    /// 6. The repository asks the server. Once, however many requests it takes.
    case server

    enum Ending: Hashable, Sendable {
        case credential
        case failure
    }
}

/// Writes down steps from anywhere.
final class PipelineLog: Sendable {
    private let log = Lock<[PipelineStep]>([])
    private let onStep: @Sendable (PipelineStep) -> Void

    var steps: [PipelineStep] { log.withLock { $0 } }

    /// - Parameter onStep: Hears of each step that is written down.
    init(onStep: @escaping @Sendable (PipelineStep) -> Void = { _ in }) { self.onStep = onStep }

    /// Writes a step down, once in a row.
    func note(_ step: PipelineStep) {
        let isNew = log.withLock { log in
            defer { if log.last != step { log.append(step) } }
            return log.last != step
        }
        if isNew { onStep(step) }
    }
}

/// A provider that writes down when it is asked and what it delivers.
struct WatchedProvider: AuthProvider {
    let base: any AuthProvider
    let log: PipelineLog

    var id: ProviderID { base.id }

    func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        AuthStream {
            log.note(.authenticate)
            return try await base.authenticate(request).onResult { outcome in
                switch outcome {
                case .success: log.note(.result(.credential))
                case .failure: log.note(.result(.failure))
                }
            }.value
        }
    }
}

/// A repository that writes down when it is asked.
struct WatchedRepository: AuthRepository {
    let base: any AuthRepository
    let log: PipelineLog

    func accepts(_ provider: ProviderID) -> Bool { base.accepts(provider) }

    func signIn(with credential: Credential) async throws(AuthError) -> AuthSession {
        log.note(.repository)
        return try await base.signIn(with: credential)
    }

    func refresh(_ session: AuthSession) async throws(AuthError) -> AuthSession { try await base.refresh(session) }
    func signOut(_ session: AuthSession) async throws(AuthError) { try await base.signOut(session) }
    func deleteAccount(_ session: AuthSession) async throws(AuthError) { try await base.deleteAccount(session) }
}

/// A network that writes down when the server is asked.
struct WatchedTransport: AuthHTTPTransport {
    let base: any AuthHTTPTransport
    let log: PipelineLog

    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        log.note(.server)
        return try await base.send(request)
    }
}
