public import AuthStreams
package import Foundation

/// An ID token whose claims were checked (OpenID Connect Core section 2).
public struct IDToken: Sendable {
    /// The token itself.
    public let token: Secret
    /// The person's identifier at the issuer: 1 to 255 ASCII characters.
    public let subject: String
    /// All claims, an object.
    public let claims: AuthJSON
    /// The signature's algorithm and key.
    let header: AuthJSON

    /// A claim.
    package subscript(name: String) -> AuthJSON? { claims[name] }
}

extension IDToken: DescriptionOnly {
    /// A fixed text: the claims hold the nonce and the person's data.
    public var description: String { "ID token" }
}

/// The values that an ID token is checked against.
package struct IDTokenContext: Sendable {
    /// How the token arrived.
    package enum Channel: Sendable {
        /// Directly from the token endpoint: TLS authenticates the sender (OpenID Connect Core 3.1.3.7 (6)).
        case tokenEndpoint
        /// Through the browser: only the signature authenticates the issuer.
        case browser
    }

    /// How the token arrived.
    package var channel: Channel
    /// The expected `nonce` claim, in the form that was sent: raw, or its hash for Apple. `nil` if none was sent.
    package var nonce: Secret?
    /// The access token of the same answer, which `at_hash` must match. Through the browser the claim is required.
    package var accessToken: Secret?
    /// The code of the same answer, which `c_hash` must match. Through the browser the claim is required.
    package var code: Secret?
    /// When the server answered, by its own clock; `nil` if the answer has no date or came through the browser.
    package var date: Date?
    /// How long ago the person may have logged in at the issuer, as requested by `max_age`; `nil` if not requested.
    package var maximumAge: Duration?
    /// How long the page was open, which may pass between the log-in and the token.
    package var elapsed = Duration.zero
    /// The accepted values of `acr`, as requested by `acr_values`; empty if not requested.
    package var acceptedACRs: Set<String> = []
    /// The issuer that the page's answer named (RFC 9207); `nil` if it named none.
    package var issuer: String?

    /// Makes a context.
    package init(
        channel: Channel, nonce: Secret?, accessToken: Secret? = nil, code: Secret? = nil, date: Date? = nil
    ) {
        self.date = date
        self.channel = channel
        self.nonce = nonce
        self.accessToken = accessToken
        self.code = code
    }
}
