import AuthStreams
import Foundation

/// A provider's assertion about a person: the form inside `postBody`, with a checked ID token.
struct IdentityAssertion {
    private(set) var identity: FirebaseAccount.Identity
    let idToken: String
    let accessToken: String?
    let claims: [String: AuthJSON]
    /// Apple's profile beside the token at the first sign-in. Unsigned, so it only provides a name.
    let profile: AuthJSON?

    var givenName: String? { claims["given_name"]?.string ?? profile?["name"]?["firstName"]?.string }
    var familyName: String? { claims["family_name"]?.string ?? profile?["name"]?["lastName"]?.string }

    /// Reads and checks an assertion.
    ///
    /// - Parameters:
    ///   - postBody: The form, as the client sent it.
    ///   - context: The emulator, whose signer knows the providers' keys.
    init(postBody: String, in context: EmulatorContext) throws(IdentityToolkitError) {
        guard let items = FormCoding.decode(postBody) else {
            throw IdentityToolkitError("INVALID_CREDENTIAL_OR_PROVIDER_ID", "The postBody is not a form.")
        }
        let form = EmulatorParameters(items)
        guard let providerID = form["providerId"] else {
            throw IdentityToolkitError("INVALID_CREDENTIAL_OR_PROVIDER_ID", "The postBody has no providerId.")
        }
        guard let provider = FederatedProvider(providerID, in: context.configuration) else {
            throw IdentityToolkitError("OPERATION_NOT_ALLOWED", "The identity provider is not enabled.")
        }
        guard let idToken = form["id_token"] else {
            if form["access_token"] != nil, provider.takesAccessTokens { throw .notImplemented }
            throw IdentityToolkitError("INVALID_IDP_RESPONSE", "The postBody has no id_token.")
        }
        let claims: [String: AuthJSON]
        do {
            claims = try provider.idTokenVerifier.claims(of: idToken, rawNonce: form["nonce"], in: context)
        } catch {
            switch error {
            case .nonce(let detail): throw IdentityToolkitError("MISSING_OR_INVALID_NONCE", detail)
            case .token(let detail): throw IdentityToolkitError("INVALID_IDP_RESPONSE", detail)
            }
        }
        self.idToken = idToken
        self.claims = claims
        accessToken = form["access_token"]
        profile = form["user"].flatMap { AuthJSON(json: Data($0.utf8)) }
        var identity = FirebaseAccount.Identity(providerID: providerID, rawID: claims["sub"]?.string ?? "")
        identity.email = claims["email"]?.string
        identity.isEmailVerified = claims["email_verified"]?.lenientBool ?? false
        identity.photoURL = claims["picture"]?.string
        self.identity = identity
        let parts = [givenName, familyName].compactMap(\.self)
        self.identity.displayName = claims["name"]?.string ?? (parts.isEmpty ? nil : parts.joined(separator: " "))
    }
}

/// A provider whose ID tokens the project accepts, as configured in its console.
struct FederatedProvider {
    let idTokenVerifier: ServerIDTokenVerifier
    /// Whether production also accepts only an access token.
    let takesAccessTokens: Bool

    /// - Returns: `nil` for a provider that is disabled or unknown.
    init?(_ providerID: String, in configuration: EmulatorConfiguration) {
        let provider = ProviderID(rawValue: providerID)
        guard configuration.firebase.enabledProviders.contains(provider) else { return nil }
        switch provider {
        case .apple:
            idTokenVerifier = .apple(in: configuration)
            takesAccessTokens = false
        case .google:
            idTokenVerifier = .google(in: configuration)
            takesAccessTokens = true
        default: return nil
        }
    }
}
