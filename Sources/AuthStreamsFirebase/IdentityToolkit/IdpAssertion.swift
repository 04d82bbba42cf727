package import AuthStreams
import Foundation

/// An identity provider's tokens, in the form that `accounts:signInWithIdp` takes.
package struct IdpAssertion: Equatable, Sendable {
    /// The provider by its name at Firebase: `apple.com`, `google.com`, `oidc.NAME`.
    package let provider: ProviderID
    /// The provider's tokens.
    package let credential: Credential

    /// Makes an assertion from a credential.
    ///
    /// - Parameters:
    ///   - credential: Has an ID token or at least an access token, which is not enough for Apple.
    ///   - provider: The provider's name at Firebase, if it is not the credential's.
    /// - Throws: `AuthError` with code `invalidCredential` if there is no token.
    package init(_ credential: Credential, as provider: ProviderID? = nil) throws(AuthError) {
        self.provider = provider ?? credential.provider
        self.credential = credential
        guard idToken != nil || (accessToken != nil && self.provider != .apple) || pendingToken != nil else {
            throw AuthError(
                .invalidCredential, "The credential has no ID token, so there is nothing to take to Firebase.",
                provider: credential.provider)
        }
    }

    private var idToken: Secret? { credential.idToken?.present }
    private var accessToken: Secret? { credential.accessToken?.present }
    /// Firebase's token in place of tokens that it found in conflict. It takes precedence.
    var pendingToken: Secret? { credential.pendingToken?.present }

    /// The form, every value percent-encoded to the unreserved set: a `+` would arrive as a space.
    var postBody: String {
        var fields: [(name: String, value: String)] = []
        if let idToken {
            fields.append(("id_token", idToken.reveal()))
        } else if let accessToken {
            // Only without an ID token: values that are not needed are not sent.
            fields.append(("access_token", accessToken.reveal()))
        }
        fields.append(("providerId", provider.rawValue))
        // Firebase compares its hash with the nonce in the token. In Google's it checks none that it is not sent.
        if provider != .google, let nonce = credential.rawNonce?.present { fields.append(("nonce", nonce.reveal())) }
        if let user = appleUser { fields.append(("user", user)) }
        return FormCoding.encode(fields)
    }

    /// The name that Apple returns only once, in the form in which its web page posts it.
    private var appleUser: String? {
        guard provider == .apple, let name = credential.profile?.name else { return nil }
        var parts: [String: AuthJSON] = [:]
        if name.isFamilyNameFirst {
            // Firebase stores one display name, which it joins in the order of the two members. With one member there is no
            // order: 김민지, not 민지 김.
            parts["firstName"] = .string(name.displayName)
        } else {
            parts["firstName"] = name.givenName.map(AuthJSON.string)
            parts["lastName"] = name.familyName.map(AuthJSON.string)
        }
        guard let json = try? FirebaseChannel.encode(["name": .object(parts)]) else { return nil }
        return String(decoding: json, as: UTF8.self)
    }
}
