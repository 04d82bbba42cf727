package import Foundation

/// An attempt at a provider's page, as it is stored while the person is away from the app.
///
/// The system may end the app meanwhile. Its answer then launches the app again, and ``AuthProvider/resume(_:)`` finishes the
/// attempt. It is resumed once, at most ten minutes after it began.
///
/// The engine of AuthStreamsOAuth makes and resumes it. Only an attempt whose answer repeats a `state` has one: any other
/// answer may be made up.
package struct PendingAttempt: Hashable, Sendable {
    /// The attempt's `state`, which the answer repeats.
    package let state: Secret
    /// Where the answer comes: a URL of the app.
    package let callbackURL: URL
    /// The redirect URI that the token request repeats. It is another one than ``callbackURL`` if a relay forwards the
    /// answer.
    package let redirectURI: URL
    /// The issuer that the answer may name (RFC 9207).
    package let issuer: String?
    /// Whether an answer without issuer is refused.
    package let isIssuerRequired: Bool
    /// The PKCE verifier.
    package let verifier: Secret?
    /// The nonce as it was sent.
    package let nonce: Secret?
    /// The nonce before any hashing.
    package let rawNonce: Secret?
    /// The `max_age` that was sent.
    package let maximumAge: Duration?
    /// The `acr_values` that were sent.
    package let acceptedACRs: Set<String>
    /// The scopes that were requested; `nil` if the page named none, so that the server's default applies.
    package let scopes: [String]?
    /// Whether an answer is bound to the attempt, as the user agent that showed the page said.
    package let isBound: Bool

    package init(
        state: Secret, callbackURL: URL, redirectURI: URL, issuer: String?, isIssuerRequired: Bool, verifier: Secret?,
        nonce: Secret?, rawNonce: Secret?, maximumAge: Duration?, acceptedACRs: Set<String>, scopes: [String]?,
        isBound: Bool
    ) {
        self.state = state
        self.callbackURL = callbackURL
        self.redirectURI = redirectURI
        self.issuer = issuer
        self.isIssuerRequired = isIssuerRequired
        self.verifier = verifier
        self.nonce = nonce
        self.rawNonce = rawNonce
        self.maximumAge = maximumAge
        self.acceptedACRs = acceptedACRs
        self.scopes = scopes
        self.isBound = isBound
    }

    /// Returns whether a URL repeats the attempt's `state`, once. The engine checks the rest when it resumes the attempt.
    package func isAnswered(by url: URL) -> Bool {
        let fields = url.query(percentEncoded: true).flatMap(FormCoding.decodeCallback) ?? []
        let states = fields.filter { $0.name == "state" }.map { Secret($0.value) }
        // An empty one would fit any URL that has an empty one.
        return !state.isEmpty && states == [state]
    }
}

extension PendingAttempt: DescriptionOnly {
    /// A fixed text: the attempt holds secrets.
    package var description: String { "pending attempt" }
}

/// A provider whose answer is a link in a mail.
package protocol LinkOpening: AuthProvider {
    /// Returns the provider of a link that opened the app, without the attempt that asked for it.
    ///
    /// - Parameter address: Where it was sent; `nil` if this device does not know.
    /// - Returns: `nil` for a URL without a code for signing in.
    func opened(_ url: URL, sentTo address: String?) -> (any AuthProvider)?
}

extension Duration {
    /// How long a link is waited for, and its address stored.
    package static var linkLifetime: Duration { .seconds(86_400) }
}

/// An attempt of an earlier process, and its answer.
package final class ResumedAttempt: Sendable {
    package let attempt: PendingAttempt
    /// The callback URL.
    package let callback: URL
    /// How long ago the attempt began.
    package let elapsed: Duration
    private let isAvailable = Lock(true)

    package init(attempt: PendingAttempt, callback: URL, elapsed: Duration) {
        self.attempt = attempt
        self.callback = callback
        self.elapsed = elapsed
    }

    /// Lets one caller have the answer.
    ///
    /// - Throws: `abandoned` for every further one: the answer of one page is not that of the next.
    package func take() throws(AuthError) {
        guard
            isAvailable.withLock({ available in
                defer { available = false }
                return available
            })
        else {
            throw AuthError(
                .abandoned, "The attempt needs a further page, and the app was ended at the first. Sign in again.")
        }
    }
}

extension ResumedAttempt: DescriptionOnly {
    /// A fixed text: the callback URL holds a code.
    package var description: String { "resumed attempt" }
}
