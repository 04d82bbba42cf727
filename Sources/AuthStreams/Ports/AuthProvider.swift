public import Foundation

/// A way to get a credential: the protocol that a new provider implements.
///
/// ## What an implementation promises
///
/// - Its ``id`` and ``methodKinds`` are always the same, and a credential names that id and holds at least one proof.
/// - It keeps no state between attempts, so one instance may serve several at once. Each iteration is a separate
///   attempt with its own codes, tokens and nonces.
/// - It shows nothing and sends nothing before the stream is iterated.
/// - An attempt always ends: with a credential when the person agrees, with `cancelled` when they turn back or the task
///   is cancelled at any step, with `abandoned` when they return without an answer, and with an error when they refuse.
/// - It reports each step through the request, and never puts a token, code or nonce into an error.
/// - Each of several ``methodKinds`` gets a credential. It uses only the one that the request names. Kinds that it does not
///   have end with `unsupportedProvider` before anything is shown.
///
/// `AuthProviderContract`, of the module AuthStreamsTesting, checks each of them.
public protocol AuthProvider: Sendable {
    /// The identifier of the provider.
    var id: ProviderID { get }

    /// The ways in which it can ask the person, the preferred one first. A provider with only one need not name it.
    var methodKinds: [SignInMethod.Kind] { get }

    /// Returns one attempt to get a credential, which starts when the stream is iterated.
    func authenticate(_ request: AuthRequest) -> AuthStream<Credential>

    /// The URLs by which its page and its app open this app to answer; none unless given.
    ///
    /// `AuthService.handle(_:)` recognizes by their scheme, host, port and path a URL that no attempt waits for. No other provider
    /// of the service may answer at one of them: an answer of one could be taken for that of the other (RFC 9700 section 4.4), so
    /// their attempts end with `misconfigured`.
    var callbackURLs: [URL] { get }

    /// Finishes an attempt of an earlier process, which the system ended while the person was away.
    ///
    /// A provider whose pages are opened by the engine of AuthStreamsOAuth returns ``authenticate(_:)`` of the same request:
    /// the engine then opens no page, and continues with the answer. Without an implementation the attempt ends with
    /// `abandoned`.
    func resume(_ request: AuthRequest) -> AuthStream<Credential>

    /// The routers on which its attempts wait for URLs of the app; none unless given.
    ///
    /// An attempt that waits on another router than the service's would never see its answer. It ends with `misconfigured`
    /// before anything is shown.
    var callbackRouters: [CallbackRouter] { get }

    /// What the provider tells the app about people who withdraw its access there; `nil` if it tells nothing.
    ///
    /// `AuthService` reads it once, when it is made.
    var revocations: RevocationReports? { get }
}

extension AuthProvider {
    /// The single kind that has no name.
    public var methodKinds: [SignInMethod.Kind] { [.standard] }

    /// None.
    public var callbackURLs: [URL] { [] }

    /// Ends with `abandoned`.
    public func resume(_ request: AuthRequest) -> AuthStream<Credential> {
        .failure(
            AuthError(
                .abandoned, "The app was ended during the attempt, and \(id) cannot resume it. Sign in again.",
                provider: id))
    }

    /// None.
    public var callbackRouters: [CallbackRouter] { [] }

    /// None.
    public var revocations: RevocationReports? { nil }

    /// Returns an attempt without special wishes, presented in the key window.
    public func authenticate() -> AuthStream<Credential> { authenticate(AuthRequest()) }
}

extension AuthProvider {
    /// Checks that the provider has the kind that a request names.
    ///
    /// - Throws: ``AuthError`` with code `unsupportedProvider`. A provider with several kinds calls this before it
    ///   shows anything.
    public func requireMethodKind(of request: AuthRequest) throws(AuthError) {
        guard let named = request.methodKind, !methodKinds.contains(named) else { return }
        throw AuthError(
            .unsupportedProvider,
            "\(id) cannot ask by method kind '\(named)'. It has: \(methodKinds.map(\.rawValue).joined(separator: ", ")).",
            provider: id)
    }
}

/// What a provider tells the app about people who withdraw its access there.
///
/// `AuthService` follows it while a session that began with this provider is present, and signs the user out with
/// ``SignOutReason/revokedAtProvider`` when the provider reports that session's person.
///
/// It must not hold the provider, so that releasing the service releases the provider.
public struct RevocationReports: Sendable {
    private let follow: @Sendable (String) -> AsyncStream<Void>

    /// Makes reports.
    ///
    /// - Parameter follow: Makes the reports about one person, by their identifier at the provider; see ``about(_:)``.
    public init(_ follow: @escaping @Sendable (_ userID: String) -> AsyncStream<Void>) {
        self.follow = follow
    }

    /// Reports each time the provider says that a person withdrew the app's access.
    ///
    /// | question | answer |
    /// | --- | --- |
    /// | first element | at once, if the access is withdrawn already |
    /// | how many elements? | one each time the provider says so. An error, or an answer that says anything else, is none |
    /// | end | when the provider cannot say more, or the reader's task is cancelled |
    ///
    /// - Parameter userID: The person's identifier at the provider.
    public func about(_ userID: String) -> AsyncStream<Void> { follow(userID) }
}
