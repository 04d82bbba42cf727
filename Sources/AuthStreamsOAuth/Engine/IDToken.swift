package import AuthStreams
package import Foundation

/// An ID token whose claims keep the rules (OpenID Connect Core section 2).
package struct IDToken: Sendable {
    package let token: Secret
    /// The person's identifier at the issuer: 1 to 255 ASCII characters.
    package let subject: String
    package let claims: JSONValue
    /// How it is signed, and by which key.
    let header: JSONValue

    /// A claim.
    package subscript(name: String) -> JSONValue? { claims[name] }
}

extension IDToken: CustomStringConvertible, CustomReflectable {
    /// Nothing of the token.
    package var description: String { "ID token" }
    /// A mirror without children, because the claims hold the nonce and the person's data.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// What an ID token came with, and must agree with.
package struct IDTokenContext: Sendable {
    /// Which way the token took.
    package enum Channel: Sendable {
        /// Straight from the token endpoint: TLS already says who sent it (OpenID Connect Core 3.1.3.7 (6)).
        case tokenEndpoint
        /// Through the browser: only the signature says who made it.
        case browser
    }

    package var channel: Channel
    /// The `nonce` claim to find, in the form that was sent: raw, or its hash for Apple. `nil` when none was sent.
    package var nonce: Secret?
    /// The access token it came with, which `at_hash` must fit.
    package var accessToken: Secret?
    /// The code it came with, which `c_hash` must fit.
    package var code: Secret?
    /// When the server answered, by its own clock; `nil` where it did not say, and for what came through the browser.
    package var date: Date?

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
