import AuthStreams

extension TokenEndpoint {
    /// A server's answer, before it is read: tokens, other members, or an error (RFC 6749 sections 5.1 and 5.2).
    struct Answer: Sendable {
        private let response: AuthHTTPResponse
        private let endpoint: TokenEndpoint
        /// The members of the body; `nil` if it is no JSON object.
        private let body: [String: AuthJSON]?
        /// The error of the specification's form; `nil` if there is no `error`.
        private let failure: OAuthFailure?

        /// - Parameters:
        ///   - response: The answer.
        ///   - endpoint: The endpoint that gave it.
        ///   - secrets: Those of the request, which the server's description of an error may quote.
        init(_ response: AuthHTTPResponse, from endpoint: TokenEndpoint, hiding secrets: [Secret]) {
            (self.response, self.endpoint) = (response, endpoint)
            let body = AuthJSON(json: response.body)?.object
            self.body = body
            failure = body?["error"]?.string.map {
                OAuthFailure(
                    origin: .endpoint(status: response.status), error: $0, members: body ?? [:], hiding: secrets)
            }
        }

        /// The answer as a refusal; `nil` unless it is a definite one.
        var refusal: Refusal? { Refusal(response) }

        /// Returns the tokens of a success answer.
        ///
        /// - Throws: `AuthError`; those of ``members()``; `invalidResponse` if a token is missing or of no use.
        func tokens() throws(AuthError) -> TokenResponse {
            try TokenResponse(members: try members(), date: response.date, boundTo: endpoint.binding?.key.thumbprint)
        }

        /// Returns the members of a success answer.
        ///
        /// - Throws: `AuthError`; `rateLimited`, `server` or `invalidResponse` by the status; the dialect's error for an error
        ///   answer; `invalidResponse` for any other answer without a JSON object.
        func members() throws(AuthError) -> [String: AuthJSON] {
            switch response.status {
            case 429: throw unavailable(.rateLimited, "The \(endpoint.name) wants fewer requests. Try again later.")
            case 500...:
                throw unavailable(
                    .server, "The \(endpoint.name) failed with status \(response.status). Try again later.")
            case 300..<400:
                throw AuthError(
                    .invalidResponse,
                    "The \(endpoint.name) answered with a redirect, which is never followed. Check its URL.")
            default: break
            }
            if let failure { throw failure.authError(endpoint.dialect) }
            guard response.isSuccess else {
                throw foreignError
                    ?? AuthError(
                        .invalidResponse,
                        "The \(endpoint.name) answered with status \(response.status) and no OAuth error.")
            }
            guard let body else {
                throw AuthError(
                    .invalidResponse,
                    """
                    The \(endpoint.name)'s answer is not a JSON object of at most \(AuthJSON.maximumDepth) levels. Check its \
                    URL.
                    """)
            }
            return body
        }

        /// The error of a server that is busy or failed. What it says changes only the server's code and message.
        private func unavailable(_ code: AuthError.Code, _ explanation: String) -> AuthError {
            var error = AuthError(
                code, explanation, serverCode: foreignError?.serverCode ?? failure?.error,
                retryAfter: endpoint.heedsPages || !response.isPage ? response.retryAfter : nil)
            error.serverMessage = failure?.message
            return error
        }

        /// The dialect's error for a refusal in a form of the provider's own, such as Kakao's numbers.
        private var foreignError: AuthError? {
            guard !response.isSuccess, let body else { return nil }
            return endpoint.dialect(
                OAuthFailure(
                    origin: .endpoint(status: response.status), error: body["error"]?.string ?? "", members: body))
        }
    }
}

extension TokenEndpoint.Answer: DescriptionOnly {
    /// The status. The body may have tokens.
    var description: String { "answer with status \(response.status)" }
}
