import AuthStreams
import Foundation

extension AuthUser {
    /// Reads a user of `accounts:lookup`; `nil` if it has no identifier.
    init?(account: AuthJSON, claims: FirebaseClaims) {
        guard let id = account["localId"]?.text else { return nil }
        self.init(
            id: id, email: account["email"]?.text, isEmailVerified: account["emailVerified"]?.lenientBool ?? false,
            displayName: account["displayName"]?.text, photoURL: account["photoUrl"]?.text.flatMap(URL.init(string:)),
            providers: (account["providerUserInfo"]?.array ?? []).compactMap(LinkedProvider.init(info:)),
            isAnonymous: claims.isAnonymous, claims: claims.custom)
        nameMailLinks(of: account)
    }

    /// Reads a user from the ID token of a sign-in alone.
    init(_ tokens: IdentityToolkit.Tokens, from provider: ProviderID) {
        let identities = tokens.claims.all["firebase"]?["identities"]?.object ?? [:]
        self.init(
            id: tokens.userID,
            providers: identities.sorted { $0.key < $1.key }.compactMap { name, identity in
                switch name {
                case "phone": nil
                // A password and mail links have the same name there.
                case "email" where provider == .password || provider == .emailLink:
                    .init(id: provider, email: identity.array?.first?.text)
                case "email": nil
                default: .init(id: ProviderID(rawValue: name), userID: identity.array?.first?.text)
                }
            })
        self = updated(by: tokens.claims)
    }

    /// Names the ways by mail. To Firebase both a password and mail links are the provider `password`; the account says which of
    /// them it has.
    private mutating func nameMailLinks(of account: AuthJSON) {
        guard account["emailLinkSignin"]?.lenientBool == true,
            let index = providers.firstIndex(where: { $0.id == .password })
        else { return }
        var link = providers[index]
        link.id = .emailLink
        if account["passwordHash"]?.text == nil {
            providers[index] = link
        } else {
            providers.insert(link, at: index + 1)
        }
    }

    /// Returns the same user after a refresh, updated by the claims of the new ID token.
    func updated(by claims: FirebaseClaims) -> AuthUser {
        var user = self
        user.claims = claims.custom
        user.isAnonymous = claims.isAnonymous
        if let email = claims.all["email"]?.text {
            user.email = email
            user.isEmailVerified = claims.all["email_verified"]?.lenientBool ?? false
        }
        if let name = claims.all["name"]?.text { user.displayName = name }
        if let picture = claims.all["picture"]?.text.flatMap(URL.init(string:)) { user.photoURL = picture }
        return user
    }
}

extension AuthUser.LinkedProvider {
    fileprivate init?(info: AuthJSON) {
        guard let provider = info["providerId"]?.text else { return nil }
        self.init(
            id: ProviderID(rawValue: provider), userID: info["rawId"]?.text ?? info["federatedId"]?.text,
            email: info["email"]?.text)
    }
}

/// The claims of a Firebase ID token, with the project's own separated from Firebase's.
///
/// <https://firebase.google.com/docs/auth/admin/create-custom-tokens> lists the names that custom claims cannot have.
/// The others here are written by Firebase itself, and `isNewUser`, which describes a sign-in and not the user.
struct FirebaseClaims: Equatable, Sendable {
    private static let names: Set<String> = [
        "acr", "amr", "at_hash", "aud", "auth_time", "azp", "c_hash", "cnf", "email", "email_verified", "exp",
        "firebase", "iat", "isNewUser", "iss", "jti", "name", "nbf", "nonce", "phone_number", "picture", "provider_id",
        "sub",
        "user_id",
    ]
    let all: [String: AuthJSON]

    init(_ idToken: Secret) {
        all = JSONWebToken(idToken)?.claims.object ?? [:]
    }

    /// How long the token is valid; `nil` if it does not say so.
    var lifetime: Duration? { AuthJSON.object(all).tokenLifetime }

    var custom: [String: AuthJSON] { all.filter { !Self.names.contains($0.key) } }

    /// The provider of the sign-in: `custom`, `google.com`, `anonymous`, …
    var signInProvider: String? { all["firebase"]?["sign_in_provider"]?.text }

    /// Returns whether the person withdrew the app's access at a provider since the sign-in, as a function has noted in
    /// the claim `revokedAtProvider`: seconds since 1970 by the provider's name.
    func isRevoked(at provider: ProviderID) -> Bool {
        guard let signIn = all["auth_time"]?.lenientInteger,
            let revocation = all["revokedAtProvider"]?[provider.rawValue]?.lenientInteger
        else { return false }
        return signIn <= revocation
    }

    /// The user's identifier at a provider, by its name at Firebase; `nil` if the token has none.
    func identity(at provider: ProviderID) -> String? {
        all["firebase"]?["identities"]?[provider.rawValue]?.array?.first?.text
    }

    var isAnonymous: Bool {
        all["provider_id"]?.string == "anonymous" || signInProvider == "anonymous"
    }
}

extension FirebaseClaims: CustomReflectable {
    /// A mirror without children, so `dump` and reflection of the tokens find no claim.
    var customMirror: Mirror { Mirror(self, children: []) }
}
