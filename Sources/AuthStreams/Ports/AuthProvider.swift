/// The role 'get me a credential': what a new provider implements.
///
/// ## What an implementation promises
///
/// - Its ``id`` and ``means`` are always the same, and a credential names that id and holds at least one proof.
/// - It keeps no state between attempts, so one instance may serve several at once: each iteration is an attempt of its own,
///   whose codes, tokens and nonces no other has.
/// - It shows nothing and sends nothing before the stream is iterated.
/// - An attempt always ends: with a credential when the person agrees, with `cancelled` when they turn back or when its
///   task is cancelled, wherever it is then, with `abandoned` when they come back and nothing says why, and with an error when
///   they refuse.
/// - It reports each step through the request, and never puts a token, code or nonce into an error.
/// - Each of several ``means`` gets a credential. It uses the one that the request names, and no other; one that it does not
///   have ends with `unsupportedProvider` before anything is shown.
///
/// `AuthProviderContract`, of the module AuthStreamsTesting, checks every one of them.
public protocol AuthProvider: Sendable {
    /// Which provider this is.
    var id: ProviderID { get }

    /// The ways in which it can ask the person, the preferred first. A provider that has only one need not name it.
    var means: [SignInMeans] { get }

    /// One attempt to get a credential, started when the stream is iterated.
    func authenticate(_ request: AuthRequest) -> AuthStream<Credential>
}

extension AuthProvider {
    /// The one way that has no name.
    public var means: [SignInMeans] { [.standard] }

    /// One plain attempt: nothing special asked, presented in the front-most window.
    public func authenticate() -> AuthStream<Credential> { authenticate(AuthRequest()) }
}

extension AuthProvider {
    /// Checks that the provider has the means that a request names.
    ///
    /// - Throws: ``AuthError`` with code `unsupportedProvider`. A provider with several means calls it before it shows
    ///   anything.
    public func requireMeans(of request: AuthRequest) throws(AuthError) {
        guard let named = request.means, !means.contains(named) else { return }
        throw AuthError(
            .unsupportedProvider,
            "\(id) cannot ask by means '\(named)'. It has: \(means.map(\.rawValue).joined(separator: ", ")).",
            provider: id)
    }
}
