public import AuthStreams
import Foundation

/// An identity provider's word for a person, in the form that `accounts:signInWithIdp` takes.
public struct IdpAssertion: Hashable, Sendable {
    /// The provider by its name at Firebase: `apple.com`, `google.com`, `oidc.NAME`.
    public let provider: ProviderID
    /// The provider's tokens.
    public let credential: Credential

    /// Takes a credential to Firebase.
    ///
    /// - Parameters:
    ///   - credential: Has an ID token, or an access token at least (which Apple's never is enough).
    ///   - provider: The provider's name at Firebase, where it is another than the credential's.
    /// - Throws: `AuthError` with code `invalidCredential` when no token is there.
    public init(_ credential: Credential, as provider: ProviderID? = nil) throws(AuthError) {
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
    /// What Firebase gave in place of tokens that it had found in conflict; goes before them.
    var pendingToken: Secret? { credential.pendingToken?.present }

    /// The form, every value encoded to the unreserved set: a `+` would arrive as a space.
    var postBody: String {
        var fields: [(name: String, value: String)] = []
        if let idToken {
            fields.append(("id_token", idToken.reveal()))
        } else if let accessToken {
            // Only where there is no ID token: what is not needed does not travel.
            fields.append(("access_token", accessToken.reveal()))
        }
        fields.append(("providerId", provider.rawValue))
        // The nonce itself; the token holds its hash at Apple and the nonce at others, and Firebase knows which.
        if let nonce = credential.rawNonce?.present { fields.append(("nonce", nonce.reveal())) }
        if let user = appleUser { fields.append(("user", user)) }
        return FormCoding.encode(fields)
    }

    /// The name that Apple tells once, in the form in which its web page posts it.
    private var appleUser: String? {
        guard provider == .apple, let profile = credential.profile else { return nil }
        var name: [String: JSONValue] = [:]
        name["firstName"] = profile.givenName.map(JSONValue.string)
        name["lastName"] = profile.familyName.map(JSONValue.string)
        guard !name.isEmpty, let json = try? FirebaseChannel.encode(["name": .object(name)]) else { return nil }
        return String(decoding: json, as: UTF8.self)
    }
}
