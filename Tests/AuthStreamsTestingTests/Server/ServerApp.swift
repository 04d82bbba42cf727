import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// An app at the emulated server, and the view that shows its prompts.
struct ServerApp {
    let backend: EmulatedBackend
    let network: Interruptible
    let repository: ServerRepository
    let auth: AuthService
    private var view: AuthPrompts.Iterator

    init(
        _ backend: EmulatedBackend, userAgent: (any UserAgent)? = nil, passkeys: EmulatedAuthenticator = .init(),
        _ change: (inout ServerContract) -> Void = { _ in }
    ) {
        self.backend = backend
        var contract = ServerContract(offering: [.passwords, .codes, .emailLinks, .secondFactors, .passkeys])
        change(&contract)
        network = Interruptible(base: backend.transport)
        let callbacks = CallbackRouter()
        repository = ServerRepository(
            at: backend.emulator.url(for: "https://api.pulseboard.example"), contract: contract, transport: network,
            clock: backend.emulator.configuration.clock)
        auth = AuthService(
            repository: repository,
            providers: [
                PasswordProvider(),
                PasskeyProvider(authenticator: passkeys, clock: backend.emulator.configuration.clock),
                EmailLinkProvider(
                    continueURL: URL(literal: "https://pulseboard.example/open"), callbacks: callbacks,
                    clock: backend.emulator.configuration.clock),
            ], store: MemorySessionStore(), callbacks: callbacks,
            clock: backend.emulator.configuration.clock, userAgent: userAgent)
        view = auth.prompts.presenting().makeAsyncIterator()
    }

    var server: EmulatedServer { backend.emulator.server }
    var now: Date { backend.emulator.configuration.clock.date }

    /// The code of the message that was sent last.
    var lastCode: String {
        get throws { try #require(backend.emulator.messages.last?.code).reveal() }
    }

    /// Another code than the right one.
    var wrongCode: String {
        get throws { try lastCode == "000000" ? "111111" : "000000" }
    }

    mutating func prompt() async throws -> AuthPrompt {
        while let shown = await view.next() {
            if let shown { return shown }
        }
        throw AuthError(.unexpected, "No prompt came.")
    }

    /// The next prompt of an attempt that has shown one, and has not ended.
    mutating func nextPrompt() async throws -> AuthPrompt { try #require(await view.next().flatMap(\.self)) }

    func run(_ stream: AuthStream<SignInResult>) -> Task<Result<AuthUser, AuthError>, Never> {
        Task { await stream.map(\.user).result() }
    }

    func google() -> AuthStream<SignInResult> {
        auth.signIn(credential: Credential(provider: .google, idToken: Secret(backend.googleToken())))
    }

    /// Makes an account with a password, and signs in to it.
    func signUp() async throws -> AuthUser { try await auth.signUp(credential: Self.password).value.user }

    static let password = Credential.password(email: "minji@example.com", "correct horse")
}

/// A network that the test takes away.
final class Interruptible: AuthHTTPTransport {
    private let base: any AuthHTTPTransport
    private let down = Lock(false)

    init(base: any AuthHTTPTransport) { self.base = base }

    var isDown: Bool {
        get { down.withLock { $0 } }
        set { down.withLock { $0 = newValue } }
    }

    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        guard !isDown else { throw AuthError(.network, "The test took the network away.") }
        return try await base.send(request)
    }
}

extension AuthStream {
    func result() async -> Result<Success, AuthError> {
        do throws(AuthError) { return .success(try await value) } catch { return .failure(error) }
    }
}

extension Result where Failure == AuthError {
    var failure: AuthError? { if case .failure(let error) = self { error } else { nil } }
}
