import AuthStreams
import Foundation

extension OpenIDIssuer {
    /// Returns whether a request proves that it is of the client, by the configured method and no other.
    func isAuthenticated(_ request: EmulatorRequest, _ context: EmulatorContext) -> Bool {
        let (form, issuer) = (request.form, context.configuration.issuer)
        let (credentials, secret, assertion) = (
            request.basicCredentials, form["client_secret"], form["client_assertion"]
        )
        // With a secret in the header field, the identifier in the form is optional.
        guard (form["client_id"] ?? credentials?.id) == issuer.clientID else { return false }
        switch issuer.authentication {
        case .none: return credentials == nil && secret == nil && assertion == nil
        case .post(let expected): return credentials == nil && secret == expected && assertion == nil
        case .basic(let expected):
            return credentials?.id == issuer.clientID && credentials?.secret == expected && secret == nil
                && assertion == nil
        case .privateKey:
            return credentials == nil && secret == nil
                && form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
                && assertion.map { accepts(assertion: $0, context) } ?? false
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
}

extension EmulatorRequest {
    /// The client of `Authorization: Basic`, each part form-decoded (RFC 6749 section 2.3.1).
    fileprivate var basicCredentials: (id: String, secret: String)? {
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
