public import AuthStreams

/// A provider without a page: each attempt does what the test says.
///
/// ```swift
/// let auth = AuthService(
///     repository: ScriptedRepository(), providers: [ScriptedProvider(.kakao)], store: MemorySessionStore())
/// ```
public struct ScriptedProvider: AuthProvider {
    /// Which provider this plays.
    public let id: ProviderID
    private let attempt: @Sendable (AuthRequest) async throws -> Credential

    /// Makes a provider whose attempts run the closure.
    ///
    /// - Parameter attempt: One attempt. Report steps through the request; what it throws ends the attempt.
    public init(_ id: ProviderID, attempt: @escaping @Sendable (AuthRequest) async throws -> Credential) {
        self.id = id
        self.attempt = attempt
    }

    /// Makes a provider whose person always agrees.
    ///
    /// - Parameter userID: Who they are at the provider.
    public init(_ id: ProviderID, userID: String = "1001") {
        self.init(id) { _ in
            Credential(provider: id, idToken: Secret("scripted ID token"), userID: userID)
        }
    }

    /// Makes a provider whose attempts all fail.
    public static func failing(_ id: ProviderID, with code: AuthError.Code) -> Self {
        Self(id) { _ in throw AuthError(code, "The script says so.", provider: id) }
    }

    /// Runs the script.
    public func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        AuthStream { try await attempt(request) }
    }
}
