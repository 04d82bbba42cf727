public import AuthStreams
public import Foundation

/// How a client proves who it is at an endpoint of its server (RFC 6749 section 2.3).
///
/// A secret that ships with an app is not secret (RFC 8252 section 8.5). Some servers require one all the same.
public struct ClientAuthentication: Sendable {
    private enum Method: Sendable {
        case none
        case basic(Secret)
        case post(Secret)
        case published(Secret)
        case assertion(Signer)
    }

    private let method: Method

    /// The client's secret; `nil` for a client without one.
    var clientSecret: Secret? {
        switch method {
        case .none, .assertion: nil
        case .basic(let secret), .post(let secret), .published(let secret): secret
        }
    }

    /// A public client, as most apps are: `client_id` alone, in the body (section 3.2.1).
    public static let publicClient = Self(method: .none)

    /// `client_secret_basic`: identifier and secret in the field `Authorization` (section 2.3.1).
    public static func basic(_ secret: Secret) -> Self { Self(method: .basic(secret)) }

    /// `client_secret_post`: identifier and secret in the body (section 2.3.1).
    public static func post(_ secret: Secret) -> Self { Self(method: .post(secret)) }

    /// The client's secret, in the form that the server's metadata support.
    ///
    /// `client_secret_basic` where they support both forms, or do not say (RFC 8414 section 2). Requests to a server that
    /// supports neither end with `misconfigured`.
    public static func secret(_ secret: Secret) -> Self { Self(method: .published(secret)) }

    /// `private_key_jwt`: a JSON Web Token that the app signs for each request (RFC 7523 section 2.2, OpenID Connect
    /// Core section 9).
    ///
    /// - Parameter sign: Returns the signed token. Its errors end the request.
    public static func privateKeyJWT(_ sign: @escaping Signer) -> Self { Self(method: .assertion(sign)) }

    /// Signs a token that proves who the client is.
    public typealias Signer = @Sendable (AssertionRequest) async throws -> Secret

    /// What a token that proves who the client is must say (RFC 7523 section 3).
    ///
    /// The token also has a `jti` of its own and an `exp` a few minutes ahead.
    public struct AssertionRequest: Sendable {
        /// The client's identifier, for `iss` and `sub`.
        public let clientID: String
        /// The issuer's identifier, for `aud`; `nil` for a server without one, or with one for each tenant.
        public let issuer: String?
        /// The endpoint that receives the token, for the `aud` of a server that does not accept its issuer's identifier there.
        public let endpoint: URL
    }

    /// What proves to one endpoint who the client is.
    struct Proof {
        var fields: [(name: String, value: String)] = []
        var headers: [HeaderName: String] = [:]
        /// What an error must not quote.
        var secrets: [Secret] = []
    }

    /// Returns the fields and header fields of a request.
    ///
    /// - Parameters:
    ///   - clientID: The client's identifier.
    ///   - endpoint: The endpoint that receives them.
    ///   - server: The server's metadata; `nil` if they are not known.
    /// - Throws: `AuthError`; `misconfigured` if the server supports no form of the secret, or the signed token is empty;
    ///   or the signer's error.
    func proof(
        of clientID: String, to endpoint: URL, of server: AuthorizationServerMetadata?
    ) async throws(AuthError) -> Proof {
        switch method {
        case .none: return Proof(fields: [("client_id", clientID)])
        case .basic(let secret): return .basic(clientID, secret)
        case .post(let secret): return .post(clientID, secret)
        case .published(let secret):
            guard let names = server?.tokenEndpointAuthenticationMethods else { return .basic(clientID, secret) }
            if names.contains("client_secret_basic") { return .basic(clientID, secret) }
            if names.contains("client_secret_post") { return .post(clientID, secret) }
            let supported = names.prefix(8).map(OAuthFailure.sanitized).joined(separator: ", ")
            throw AuthError(
                .misconfigured,
                """
                The server accepts no client secret at its token endpoint. It accepts: \
                \(supported.isEmpty ? "nothing" : supported). \
                Choose another authentication of the client.
                """)
        case .assertion(let sign):
            let issuer = server?.issuer.flatMap { TenantTemplate($0) == nil ? $0 : nil }
            let request = AssertionRequest(clientID: clientID, issuer: issuer, endpoint: endpoint)
            let assertion = try await AuthError.wrapping { try await sign(request) }
            guard !assertion.isEmpty else {
                throw AuthError(.misconfigured, "The closure that signs the client's assertion returned an empty one.")
            }
            return Proof(
                fields: [
                    ("client_id", clientID),
                    ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
                    ("client_assertion", assertion.reveal()),
                ], secrets: [assertion])
        }
    }
}

extension ClientAuthentication.Proof {
    fileprivate static func basic(_ clientID: String, _ secret: Secret) -> Self {
        // Each is form-encoded before Base64, or a colon in one of them would end the identifier.
        let pair = "\(FormCoding.escape(clientID)):\(FormCoding.escape(secret.reveal()))"
        return Self(
            headers: [.authorization: "Basic \(Data(pair.utf8).base64EncodedString())"], secrets: [secret])
    }

    fileprivate static func post(_ clientID: String, _ secret: Secret) -> Self {
        Self(fields: [("client_id", clientID), ("client_secret", secret.reveal())], secrets: [secret])
    }
}
