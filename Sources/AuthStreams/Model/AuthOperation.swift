/// What the app asked the service for.
public enum AuthOperation: String, Hashable, Sendable, Codable, CaseIterable {
    /// A person signs in.
    case signIn
    /// A session of another SDK is adopted.
    case adoption
    /// The app asks for an access token, or sends a request with it.
    case request
    /// The server is asked for the user.
    case reload
    /// The name or the picture changes.
    case profile
    /// An identity is added.
    case link
    /// An identity is removed.
    case unlink
    /// The person proves their identity again.
    case reauthentication
    /// The account is deleted.
    case deletion
    /// The session is ended.
    case signOut
}
