public import AuthStreams

/// A provider without a page, whose attempts are closures of the test.
///
/// ```swift
/// let auth = AuthService(
///     repository: ScriptedRepository(), providers: [ScriptedProvider(.kakao)], store: MemorySessionStore(), callbacks: CallbackRouter())
/// ```
public struct ScriptedProvider: AuthProvider {
    /// The identifier of the provider.
    public let id: ProviderID
    /// The provider's method kinds. A request that names another ends with `unsupportedProvider`.
    public var methodKinds: [SignInMethod.Kind]
    private let attempt: @Sendable (AuthRequest) async throws -> Credential

    /// Makes a provider whose attempts run the closure.
    ///
    /// - Parameters:
    ///   - id: The provider's identifier.
    ///   - methodKinds: The provider's method kinds; the single one without a name unless given.
    ///   - attempt: One attempt. Report steps through the request; its error ends the attempt.
    public init(
        _ id: ProviderID, methodKinds: [SignInMethod.Kind] = [.standard],
        attempt: @escaping @Sendable (AuthRequest) async throws -> Credential
    ) {
        self.id = id
        self.methodKinds = methodKinds
        self.attempt = attempt
    }

    /// Makes a provider whose person always agrees.
    ///
    /// - Parameters:
    ///   - id: The provider's identifier.
    ///   - methodKinds: The provider's method kinds; the single one without a name unless given.
    ///   - userID: The person's identifier at the provider.
    public init(_ id: ProviderID, methodKinds: [SignInMethod.Kind] = [.standard], userID: String = "1001") {
        self.init(id, methodKinds: methodKinds) { request in
            request.onStep(.presenting)
            // Unique for each attempt, as a real ID token is.
            let token = Secret("scripted-id-token-\(UInt64.random(in: .min ... .max))")
            return Credential(provider: id, idToken: token, userID: userID, isBound: true)
        }
    }

    /// Makes a provider whose attempts all fail.
    public static func failing(_ id: ProviderID, with code: AuthError.Code) -> Self {
        Self(id) { _ in throw AuthError(code, "The script says so.", provider: id) }
    }

    /// Runs the script.
    public func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        AuthStream {
            try requireMethodKind(of: request)
            return try await attempt(request)
        }
    }
}
