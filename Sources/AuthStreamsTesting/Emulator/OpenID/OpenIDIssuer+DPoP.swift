import AuthStreams
import AuthStreamsOAuth
import Foundation
import LoopbackHTTP

extension OpenIDIssuer {
    /// What a request says about a key (RFC 9449 section 4.3).
    enum KeyProof {
        /// There is none, or the issuer does not bind tokens.
        case none
        /// The thumbprint of the key that the request proved.
        case proven(String)
        /// The code of the error.
        case refused(String)
    }

    /// How far the time of a proof may be from the issuer's, in seconds.
    private static let window = 60.0

    /// Checks the proof of a request.
    ///
    /// - Parameter accessToken: The access token in the request; `nil` at the token endpoint.
    func keyProof(of request: EmulatorRequest, for accessToken: String?, _ context: EmulatorContext) -> KeyProof {
        let issuer = context.configuration.issuer
        let proofs = request.values(of: "DPoP")
        guard issuer.dpop != .unsupported, !proofs.isEmpty else { return .none }
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
        else { return .refused("invalid_dpop_proof") }
        return state.withLock { state in
            if issuer.demandsDPoPNonces, token.claims["nonce"] != .string(state.dpopNonce) {
                return .refused("use_dpop_nonce")
            }
            guard abs(Double(time) - context.now.timeIntervalSince1970) <= Self.window else {
                return .refused("invalid_dpop_proof")
            }
            guard state.proofs.insert("\(key.thumbprint) \(id)") else { return .refused("invalid_dpop_proof") }
            return .proven(key.thumbprint)
        }
    }

    /// Checks the proof of a token request against the key that its code or refresh token is bound to.
    ///
    /// - Parameter bound: The thumbprint of that key; `nil` for none.
    /// - Returns: The thumbprint of the key that the tokens are bound to, if there is one, or the code of the error.
    func binding(
        of request: EmulatorRequest, to bound: String?, _ context: EmulatorContext
    ) -> Result<String?, IssuerRefusal> {
        switch keyProof(of: request, for: nil, context) {
        case .refused(let code): .failure(IssuerRefusal(code: code))
        case .proven(let thumbprint):
            bound == nil || bound == thumbprint ? .success(thumbprint) : .failure(IssuerRefusal(code: "invalid_grant"))
        case .none:
            switch (context.configuration.issuer.dpop, bound) {
            case (.unsupported, _), (.supported, nil): .success(nil)
            case (.supported, _), (.required, _): .failure(IssuerRefusal(code: "invalid_dpop_proof"))
            }
        }
    }

    /// The grant of the access token in a request, by the scheme that the token needs.
    func accessGrant(of request: EmulatorRequest, _ context: EmulatorContext) -> Result<Grant, IssuerRefusal> {
        let invalid = IssuerRefusal(code: "invalid_token")
        guard let token = request.bearerToken ?? request.dpopToken,
            let found = context.grants.valid(token, .access, of: .openID)
        else { return .failure(invalid) }
        guard let bound = found.grant.keyThumbprint else {
            return request.dpopToken == nil ? .success(found.grant) : .failure(invalid)
        }
        guard request.bearerToken == nil else { return .failure(invalid) }
        return switch keyProof(of: request, for: token, context) {
        case .proven(bound): .success(found.grant)
        case .proven, .none: .failure(invalid)
        case .refused(let code): .failure(IssuerRefusal(code: code))
        }
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

/// The code of an error of the issuer.
struct IssuerRefusal: Error {
    let code: String
}

extension EmulatedIssuer {
    /// Demands another nonce in proofs of a key from now on, where ``EmulatorConfiguration/Issuer/demandsDPoPNonces`` is set.
    public func rotateDPoPNonce() { state.withLock { $0.dpopNonce = GrantStore.random() } }
}
