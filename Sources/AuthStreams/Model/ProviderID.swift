/// The identifier of a provider.
///
/// The value is what servers write: Firebase's provider identifiers for Apple, Google and passwords,
/// short names for the others. Any string is a valid identifier, so an app can add its own:
///
/// ```swift
/// extension ProviderID { static let line: ProviderID = "line" }
/// ```
public struct ProviderID: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral {
    /// The identifier as servers write it, such as `apple.com`.
    public let rawValue: String

    /// Makes a provider identifier from the one that servers use.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes a provider identifier from a literal.
    public init(stringLiteral value: String) {
        rawValue = value
    }

    /// Sign in with Apple: `apple.com`.
    public static let apple: Self = "apple.com"
    /// Google: `google.com`.
    public static let google: Self = "google.com"
    /// Kakao: `kakao`.
    public static let kakao: Self = "kakao"
    /// Naver: `naver`.
    public static let naver: Self = "naver"
    /// E-mail and password: `password`.
    public static let password: Self = "password"
    /// A link that is sent to the person's e-mail address: `emailLink`.
    public static let emailLink: Self = "emailLink"
    /// A code that is sent to the person's e-mail address or phone number: `code`.
    public static let code: Self = "code"
    /// A passkey: `passkey`.
    public static let passkey: Self = "passkey"
    /// A user without any identity: `anonymous`.
    public static let anonymous: Self = "anonymous"
}

extension ProviderID: CustomStringConvertible {
    /// The raw identifier.
    public var description: String { rawValue }
}
