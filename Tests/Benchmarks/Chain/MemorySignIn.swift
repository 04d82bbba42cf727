import AuthStreams
import AuthStreamsFirebase
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation

/// Sign-ins by the whole library without a network: provider, use case, repository, manager and store.
///
/// The answers are those of one real sign-in against the emulator, tokens included, so the state, nonce, claims and
/// signature are checked as always. To fit the answers, each attempt makes its own secrets and then uses the recorded ones.
struct MemorySignIn: Sendable {
    private let provider: ProviderID
    private let auth: AuthService

    /// Signs in over HTTP, to record the answers.
    static func recorded(with provider: ProviderID) async throws -> MemorySignIn {
        try await withEmulator { emulator in
            let callbacks = CallbackRouter()
            let recording = Recording(wire: URLSessionTransport()) { callbacks.handle($0) }
            let signIn = await MemorySignIn(provider, at: emulator.baseURL, callbacks, recording)
            // The first one fetches the issuer's keys, which stay.
            try await signIn()
            recording.begin()
            try await signIn()
            recording.finish()
            // Without this one, a failure could be measured.
            try await signIn()
            return signIn
        }
    }

    @MainActor
    private init(_ provider: ProviderID, at base: URL, _ callbacks: CallbackRouter, _ recording: Recording) {
        self.provider = provider
        let network = URLSessionTransport()
        let browser = ScriptedBrowser(transport: network) { recording.receive($0) }
        let apps = EmulatedApps(emulator: base, transport: network, next: browser) { recording.receive($0) }
        auth = AuthService(
            repository: FirebaseRepository.emulated(at: base, transport: recording),
            providers: Self.providers(at: base, callbacks, recording, RecordedApps(recording: recording, apps: apps)),
            store: MemorySessionStore(), callbacks: callbacks)
    }

    /// Signs in once.
    func callAsFunction() async throws { _ = try await auth.signIn(with: provider).value }

    private static func providers(
        at base: URL, _ callbacks: CallbackRouter, _ recording: Recording, _ apps: RecordedApps
    ) -> [any AuthProvider] {
        let secrets = AuthorizationSecrets()
        let makeSecrets: @Sendable () -> AuthorizationSecrets = {
            consume(AuthorizationSecrets())
            return secrets
        }
        // A listener would be a network, so Google's answer comes back as it does on a phone.
        let emulated = EmulatedProviders(
            at: base, opener: apps, callbacks: callbacks, googleRedirect: .reversedClientID, transport: recording)
        var (apple, google, kakao) = (emulated.apple, emulated.google, emulated.kakao)
        apple.makeSecrets = makeSecrets
        google.makeSecrets = makeSecrets
        kakao.makeSecrets = makeSecrets
        return [apple, google, kakao, emulated.naver]
    }
}

/// A network that is real once and then repeats the same answers in the same order from memory.
private struct Recording: AuthHTTPTransport {
    private struct State {
        var answers: [AuthHTTPResponse] = []
        var next = 0
        var callback: URL?
        var isFinished = false
    }
    let wire: any AuthHTTPTransport
    /// Takes the callbacks.
    let handle: @Sendable (URL) -> Bool
    private let state = Guarded(State())

    /// Discards the recorded answers, and records the next ones.
    func begin() { state.withLock { $0.answers = [] } }

    /// Repeats the recorded answers from now on.
    func finish() { state.withLock { $0.isFinished = true } }

    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        let answer: AuthHTTPResponse? = state.withLock { state in
            guard state.isFinished, !state.answers.isEmpty else { return nil }
            defer { state.next = (state.next + 1) % state.answers.count }
            return state.answers[state.next]
        }
        if let answer { return answer }
        let received = try await wire.send(request)
        state.withLock { $0.answers.append(received) }
        return received
    }

    /// Passes a callback on, and keeps it.
    func receive(_ url: URL) -> Bool {
        state.withLock { $0.callback = url }
        return handle(url)
    }

    /// Passes the kept callback on.
    ///
    /// - Returns: Whether there is one to repeat.
    func repeatCallback() -> Bool {
        guard let callback = state.withLock({ $0.isFinished ? $0.callback : nil }) else { return false }
        return handle(callback)
    }
}

/// Opens the real apps and pages during the recording, and afterwards repeats their answer.
private struct RecordedApps: ApplicationOpener {
    let recording: Recording
    let apps: EmulatedApps

    func canOpen(_ url: URL) -> Bool { apps.canOpen(url) }
    var hidesURLs: Bool { apps.hidesURLs }

    func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? {
        guard recording.repeatCallback() else { return await apps.open(url, universalLinksOnly: universalLinksOnly) }
        return ApplicationVisit {}
    }
}
