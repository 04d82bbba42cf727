import AuthStreams
import Foundation

/// Sends the parameters of a page to the server before the page is shown, so that the browser's URL has none of them
/// (RFC 9126).
struct PushedAuthorization: Sendable {
    /// The endpoint, which answers as a token endpoint does.
    let endpoint: TokenEndpoint
    let clientID: String
    let authentication: ClientAuthentication

    /// Returns the page's request with `client_id` and `request_uri` alone.
    ///
    /// - Parameters:
    ///   - page: The request with all parameters.
    ///   - redirectURI: The redirect URI.
    /// - Throws: `AuthError`; the server's error, or `misconfigured` if it refuses the parameters; `rateLimited`,
    ///   `server`; `invalidResponse` for an answer without a usable `request_uri`; or the transport's error.
    func push(_ page: AuthorizationRequest, redirectURI: URL) async throws(AuthError) -> AuthorizationRequest {
        let proof = try await authentication.proof(of: clientID, to: endpoint.url, of: endpoint.server)
        let fields = page.parameters(redirectURI: redirectURI)
        let members: [String: AuthJSON]
        do throws(AuthError) {
            members = try await endpoint.post(
                fields + proof.fields.filter { field in !fields.contains { $0.name == field.name } },
                headers: proof.headers, hiding: proof.secrets
            ).members()
        } catch {
            // The person was not asked yet.
            guard error.code == .accessDenied || error.code == .invalidCredential else { throw error }
            throw AuthError(
                .misconfigured,
                "The issuer refused the parameters of the page. Compare the client's settings with its console."
            ).quotingServer(of: error)
        }
        // The server may answer with status 200 in place of 201.
        guard let uri = try members["request_uri"].token(named: "request_uri"),
            let lifetime = members["expires_in"]?.lifetime, lifetime > .zero
        else {
            throw AuthError(
                .invalidResponse,
                "The issuer's answer to the pushed request has no `request_uri`, or does not say how long it is valid.")
        }
        return page.pushed(as: uri)
    }
}
