import AuthStreams

/// A person with an account at one provider.
public struct EmulatorUser: Hashable, Sendable {
    /// The provider's identifier of the person: Kakao's number as text, Apple's and Google's `sub`, Naver's `id`.
    public var id: String
    /// The name to show.
    public var name: String
    /// The given name, which Apple and Google separate from the family name.
    public var givenName: String
    /// The family name.
    public var familyName: String
    /// The e-mail address, or `nil` if the person has none there or does not share it.
    public var email: String?
    /// Whether the provider has verified the address.
    public var isEmailVerified: Bool
    /// The URL of a picture.
    public var pictureURL: String?

    /// Makes a user.
    ///
    /// - Parameters:
    ///   - id: The provider's identifier. For Kakao a whole number that fits 64 bits.
    ///   - name: The name to show.
    ///   - givenName: The last word of `name` unless given.
    ///   - familyName: The rest of `name` unless given.
    ///   - email: The e-mail address.
    ///   - isEmailVerified: Whether the provider has verified it.
    ///   - pictureURL: The URL of a picture.
    public init(
        id: String, name: String, givenName: String? = nil, familyName: String? = nil, email: String? = nil,
        isEmailVerified: Bool = true, pictureURL: String? = nil
    ) {
        self.id = id
        self.name = name
        self.givenName = givenName ?? name.split(separator: " ").last.map(String.init) ?? name
        self.familyName = familyName ?? name.split(separator: " ").dropLast().joined(separator: " ")
        self.email = email
        self.isEmailVerified = isEmailVerified
        self.pictureURL = pictureURL
    }
}

extension [EmulatorUser] {
    /// Returns the user of that identifier, name or e-mail address; the first one for `nil`.
    func named(_ name: String?) -> EmulatorUser? {
        guard let name else { return first }
        return first { $0.id == name } ?? first { $0.name == name || $0.email == name }
    }
}

extension EmulatorUser {
    /// The standard claims of OpenID Connect for the granted scopes (OpenID Connect Core section 5.4).
    func claims(for scopes: Set<String>) -> [String: AuthJSON] {
        var claims: [String: AuthJSON] = [:]
        if scopes.contains("email") { claims.add("email", email) }
        if claims["email"] != nil { claims["email_verified"] = .bool(isEmailVerified) }
        if scopes.contains("profile") { claims["name"] = .string(name) }
        if scopes.contains("profile") { claims.add("picture", pictureURL) }
        return claims
    }
}
