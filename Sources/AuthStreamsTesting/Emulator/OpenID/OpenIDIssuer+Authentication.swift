import AuthStreams
import AuthStreamsOAuth
import Foundation
import LoopbackHTTP

extension OpenIDIssuer {
    /// Returns the refusal of a request by the client: the error that a test asked for, a repeated parameter, or a wrong client.
    func refusal(of request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse? {
        if let error = request.requestedError { return .oauthError(error, "As the test asked.") }
        if let name = request.form.repeated { return .oauthError("invalid_request", "Parameter repeated: \(name)") }
        return isAuthenticated(request, context)
            ? nil : .oauthError("invalid_client", "Invalid client credentials", status: 401)
    }

    /// Returns whether a request proves that it is of the client, by the configured method and no other.
    private func isAuthenticated(_ request: EmulatorRequest, _ context: EmulatorContext) -> Bool {
        let (form, credentials, issuer) = (request.form, request.basicCredentials, context.configuration.issuer)
        let (id, authentication) = ("issuer.clientID", "issuer.authentication")
        let (method, expected) = (request.clientAuthentication, issuer.authentication.name)
        // With a secret in the header field, the identifier in the form is optional.
        guard Mismatch.accepts("client_id", form["client_id"] ?? credentials?.id, [issuer.clientID], in: id),
            Mismatch.accepts("client authentication", method, [expected], in: authentication)
        else { return false }
        switch issuer.authentication {
        case .none: return true
        case .post(let secret):
            return Mismatch.accepts("client_secret", secret: form["client_secret"], secret, in: authentication)
        case .basic(let secret):
            return Mismatch.accepts("client_id", credentials?.id, [issuer.clientID], in: id)
                && Mismatch.accepts("client_secret", secret: credentials?.secret, secret, in: authentication)
        case .privateKey:
            let (type, assertion) = (form["client_assertion_type"], form["client_assertion"])
            let isProof =
                type == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
                && assertion.map { accepts(assertion: $0, context) } ?? false
            if !isProof { Mismatch.note("client_assertion", assertion.map(SecretMasks.start), remedy: .newAssertion) }
            return isProof
        }
    }

    /// Returns whether a token proves that its sender is the client (RFC 7523 section 3). It does so once.
    private func accepts(assertion: String, _ context: EmulatorContext) -> Bool {
        guard let claims = JSONWebToken(Secret(assertion))?.claims, let expiry = claims["exp"]?.lenientInteger,
            let audience = claims["aud"]?.string, let id = claims["jti"]?.string,
            let (input, signature) = TokenSigner.parts(assertion)
        else { return false }
        let client = AuthJSON.string(context.configuration.issuer.clientID)
        return claims["iss"] == client && claims["sub"] == client
            && context.serves(EmulatorConfiguration.Issuer.identifier, at: audience)
            && expiry > Int64(context.now.timeIntervalSince1970)
            && (!EmulatorCrypto.isAvailable || EmulatorCrypto.isES256(signature, of: input))
            && state.withLock { $0.assertions.insert(id) }
    }

    /// How far the time of a proof may be from the issuer's, in seconds.
    private static let window = 60.0

    /// Checks the proof of a request (RFC 9449 section 4.3).
    ///
    /// - Parameter accessToken: The access token in the request; `nil` at the token endpoint.
    /// - Returns: The thumbprint of the key that the request proved; `nil` without a proof, or if the issuer binds no tokens.
    private func provenKey(
        of request: EmulatorRequest, for accessToken: String?, _ context: EmulatorContext
    ) throws(IssuerRefusal) -> String? {
        let issuer = context.configuration.issuer
        let proofs = request.values(of: "DPoP")
        guard issuer.dpop != .unsupported, !proofs.isEmpty else { return nil }
        guard proofs.count == 1, let token = JSONWebToken(Secret(proofs[0])), !token.repeatsMember,
            token.header["typ"] == "dpop+jwt", token.header["alg"] == "ES256",
            let jwk = token.header["jwk"]?.object, jwk["d"] == nil,
            let key = JSONWebKey(members: jwk).publicKey, let (input, signature) = TokenSigner.parts(proofs[0]),
            (try? Signatures.verify(signature, of: input, algorithm: .es256, key: key)) == true,
            token.claims["htm"] == .string(request.method),
            token.claims["htu"] == .string(context.served("https://\(request.host)\(request.path)")),
            let time = token.claims["iat"]?.lenientInteger,
            token.claims["ath"] == accessToken.map({ .string(Base64URL.encode(EmulatorCrypto.sha256($0))) }),
            let id = token.claims["jti"]?.string, id.utf8.count >= 16
        else { throw .invalidProof }
        try state.withLock { (state) throws(IssuerRefusal) in
            if issuer.demandsDPoPNonces, token.claims["nonce"] != .string(state.dpopNonce) {
                throw IssuerRefusal(code: "use_dpop_nonce")
            }
            guard abs(Double(time) - context.now.timeIntervalSince1970) <= Self.window,
                state.proofs.insert("\(key.thumbprint) \(id)")
            else { throw .invalidProof }
        }
        return key.thumbprint
    }

    /// Checks the proof of a token request against the key that its code or refresh token is bound to.
    ///
    /// - Parameter bound: The thumbprint of that key; `nil` for none.
    /// - Returns: The thumbprint of the key that the tokens are bound to, if there is one.
    func binding(
        of request: EmulatorRequest, to bound: String?, _ context: EmulatorContext
    ) throws(IssuerRefusal) -> String? {
        guard let key = try provenKey(of: request, for: nil, context) else {
            let dpop = context.configuration.issuer.dpop
            guard dpop == .unsupported || dpop == .supported && bound == nil else { throw .invalidProof }
            return nil
        }
        guard bound == nil || bound == key else { throw IssuerRefusal(code: "invalid_grant") }
        return key
    }

    /// The grant of the access token in a request, by the scheme that the token needs.
    func accessGrant(of request: EmulatorRequest, _ context: EmulatorContext) throws(IssuerRefusal) -> Grant {
        guard let token = request.bearerToken ?? request.dpopToken,
            let grant = context.grants.valid(token, .access, of: .openID)?.grant,
            (grant.keyThumbprint == nil ? request.dpopToken : request.bearerToken) == nil
        else { throw .invalidToken }
        guard let bound = grant.keyThumbprint else { return grant }
        guard try provenKey(of: request, for: token, context) == bound else { throw .invalidToken }
        return grant
    }

    /// The response with the nonce for the next proof, if the issuer demands one.
    func withNonce(_ response: LoopbackResponse, _ context: EmulatorContext) -> LoopbackResponse {
        guard context.configuration.issuer.dpop != .unsupported, context.configuration.issuer.demandsDPoPNonces else {
            return response
        }
        var response = response
        response.headers.append(("DPoP-Nonce", state.withLock { $0.dpopNonce }))
        return response
    }
}

/// An error of the issuer.
struct IssuerRefusal: Error {
    let code: String
    /// What the token endpoint says about it; `nil` for nothing. Where a token is refused, the answer has a text of its own.
    var description: String? = "DPoP proof not accepted"

    static let invalidProof = Self(code: "invalid_dpop_proof")
    static let invalidToken = Self(code: "invalid_token")
}

extension EmulatedIssuer {
    /// Demands another nonce in proofs of a key from now on, where ``EmulatorConfiguration/Issuer/demandsDPoPNonces`` is set.
    public func rotateDPoPNonce() { state.withLock { $0.dpopNonce = GrantStore.random() } }
}

extension EmulatorRequest {
    /// The methods by which the request authenticates its client, by their names in metadata.
    fileprivate var clientAuthentication: String {
        let methods = [
            ("client_secret_basic", basicCredentials?.secret), ("client_secret_post", form["client_secret"]),
            ("private_key_jwt", form["client_assertion"]),
        ].compactMap { name, value in value.map { _ in name } }
        return methods.isEmpty ? "none" : methods.joined(separator: ", ")
    }

    /// The client of `Authorization: Basic`, each part form-decoded (RFC 6749 section 2.3.1).
    var basicCredentials: (id: String, secret: String)? {
        guard let value = header("Authorization"), value.lowercased().hasPrefix("basic "),
            let pair = Data(base64Encoded: String(value.dropFirst("basic ".count)))
        else { return nil }
        let parts = String(decoding: pair, as: UTF8.self).split(
            separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let decoded = FormCoding.decode("\(parts[0])=\(parts[1])"), decoded.count == 1 else {
            return nil
        }
        return (decoded[0].name, decoded[0].value)
    }
}
