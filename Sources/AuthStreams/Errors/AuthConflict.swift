/// The accounts and the credential of an account conflict.
///
/// ```swift
/// } catch where error.code == .accountExists {
///     // Sign in with a provider that the account has, then link what this attempt brought.
///     let provider = error.conflict?.providers.first
/// } catch where error.code == .credentialInUse {
///     // The identity is another user's: sign in as them instead, with `error.conflict?.credential`.
/// }
/// ```
public struct AuthConflict: Hashable, Sendable {
    /// The e-mail address that both accounts have, where the server said so.
    public var email: String?
    /// The ways in which the other account signs in, where the server said so.
    public var providers: [ProviderID]
    /// The attempt's credential, if it can still be used: to link it later or to sign in as the other user.
    ///
    /// Its lifetime and number of uses depend on the provider and the server. Use it within minutes, and never store
    /// it. `nil` if nothing of it can be used again, such as a one-time code.
    public var credential: Credential?

    /// Describes a conflict.
    public init(email: String? = nil, providers: [ProviderID] = [], credential: Credential? = nil) {
        self.email = email
        self.providers = providers
        self.credential = credential
    }
}

extension AuthConflict: CustomReflectable {
    /// A mirror without children, because the address and the credential are personal.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
