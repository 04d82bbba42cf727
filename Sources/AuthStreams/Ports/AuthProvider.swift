/// The role 'get me a credential': what a new provider implements.
///
/// ## What an implementation promises
///
/// - It keeps no state between attempts, so one instance may serve several at once.
/// - It shows nothing and sends nothing before the stream is iterated.
/// - It stops promptly when its task is cancelled, and an attempt always ends.
/// - It reports each step through the request, and never puts a token, code or nonce into an error.
public protocol AuthProvider: Sendable {
    /// Which provider this is.
    var id: ProviderID { get }

    /// One attempt to get a credential, started when the stream is iterated.
    func authenticate(_ request: AuthRequest) -> AuthStream<Credential>
}

extension AuthProvider {
    /// One plain attempt: nothing special asked, presented in the front-most window.
    public func authenticate() -> AuthStream<Credential> { authenticate(AuthRequest()) }
}
