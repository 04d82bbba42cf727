import AuthStreams
import AuthStreamsFirebase
import AuthStreamsOAuth
import AuthStreamsTesting
import TestSupport
import Testing

/// Google with a server's client ID, taken to both kinds of servers.
@MainActor
@Suite(.limitedParallelization) struct GoogleServerCodeSignInTests {
    /// One of the two, and whether it redeems Google's code.
    struct Backend: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let redeems: Bool
        let make: @Sendable (Emulator) -> any AuthRepository
    }

    nonisolated static let backends = [
        Backend(testDescription: "Firebase", redeems: false) {
            FirebaseRepository.emulated(at: $0.baseURL, project: $0.configuration.firebase)
        },
        Backend(testDescription: "own server", redeems: true) { ServerRepository.emulated(at: $0.baseURL) },
    ]

    /// Firebase takes a token whose audience is any client of the project; an own server redeems the code as well.
    @Test(arguments: backends) func tokenForTheServerSignsIn(backend: Backend) async throws {
        try await withEmulator { emulator in
            let callbacks = CallbackRouter()
            let transport = URLSessionTransport.untimed()
            let browser = ScriptedBrowser(transport: transport) { callbacks.handle($0) }
            let clients = emulator.configuration.google
            let google = GoogleProvider(
                clientID: clients.desktop.id, clientSecret: clients.desktop.secret.map(Secret.init),
                serverClientID: clients.web.id, userAgent: SystemBrowser(opener: browser, callbacks: callbacks),
                transport: transport, endpoints: .emulator(at: emulator.baseURL))
            let handedOver = Promise<Credential>()
            let provider = ScriptedProvider(.google, methodKinds: google.methodKinds) { request in
                let credential = try await google.authenticate(request).value
                handedOver.resolve(credential)
                return credential
            }
            let auth = AuthService(
                repository: backend.make(emulator), providers: [provider], store: MemorySessionStore(),
                callbacks: callbacks)
            let user = try await auth.signIn(with: .google).value.user
            #expect(user.providers.map(\.id) == [.google])
            #expect(auth.state == .signedIn(user, .verified))

            let code = try #require(handedOver.current?.serverAuthCode)
            let answer = try await Wire(emulator).post(
                "https://oauth2.googleapis.com/token",
                [
                    "grant_type": "authorization_code", "code": code.reveal(), "client_id": clients.web.id,
                    "client_secret": clients.web.secret, "redirect_uri": "",
                ])
            #expect(answer.status == (backend.redeems ? 400 : 200), "A code works once.")
        }
    }
}
