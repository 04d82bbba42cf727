import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting

// ProviderPromises: a contract
/// The contract of a provider with a page: a scripted person answers the fake server's page in a scripted browser.
func contract(
    at server: FakeServer,
    of makeProvider: @escaping @Sendable (any UserAgent, any AuthHTTPTransport) -> some AuthProvider
) -> AuthProviderContract {
    AuthProviderContract(
        secrets: { await server.secrets },
        provider: { @MainActor person, recorder in
            let callbacks = CallbackRouter()
            let browser = ScriptedBrowser(person.onPage, transport: server) { callbacks.handle($0) }
            let userAgent = SystemBrowser(opener: recorder.watching(browser), callbacks: callbacks, grace: .zero)
            return makeProvider(userAgent, recorder.watching(server))
        })
}
// ProviderPromises end

/// Signs in a person who agrees.
@MainActor
func signIn(
    at server: FakeServer, _ request: AuthRequest = AuthRequest(),
    by makeProvider: (any UserAgent, any AuthHTTPTransport) -> some AuthProvider
) async throws(AuthError) -> Credential {
    let callbacks = CallbackRouter()
    let browser = ScriptedBrowser(.approve, transport: server) { callbacks.handle($0) }
    let provider = makeProvider(SystemBrowser(opener: browser, callbacks: callbacks), server)
    return try await provider.authenticate(request).value
}
