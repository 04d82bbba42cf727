import AuthStreams
import Foundation

/// Google's own revocation, which needs no secret (RFC 7009).
struct GoogleRevocation {
    let transport: any AuthHTTPTransport
    let endpoints: FirebaseProject.Endpoints

    /// Revokes all tokens of the token's grant.
    ///
    /// Google answers 200 (<https://developers.google.com/identity/protocols/oauth2/native-app#tokenrevoke>), and 400
    /// `invalid_token` for a token that is already invalid, which counts as revoked. Every other answer is a failure:
    /// other statuses, and a page with 200, which an intermediary sent.
    func revoke(_ token: Secret) async throws(AuthError) {
        let url = endpoints.url(URL(literal: "https://oauth2.googleapis.com/revoke"))
        guard url.keepsSecrets else {
            throw AuthError(
                .misconfigured, "Tokens go only to https or to this machine. Correct the project's endpoints.")
        }
        let response = try await transport.send(
            AuthHTTPRequest(
                .post, url, headers: [.contentType: FormCoding.contentType, .accept: "application/json"],
                body: Data(FormCoding.encode([("token", token.reveal())]).utf8)))
        if response.status == 200, !response.isPage { return }
        let code = response.jsonObject?["error"]?.text
        switch response.status {
        case 400 where code == "invalid_token": return
        case 429:
            throw AuthError(
                .rateLimited, "Google wants fewer requests. Try again later.", retryAfter: response.retryAfter)
        case 500...:
            throw AuthError(
                .server, "Google failed with status \(response.status). Try again later.",
                retryAfter: response.retryAfter)
        case _ where code == nil:
            throw AuthError(.invalidResponse, "The answer is none of Google's. Something in between answered.")
        default: throw AuthError(.invalidCredential, "Google refused to revoke the token.")
        }
    }
}
