import AuthStreams
import Foundation

/// The signed parts of a JSON Web Token (RFC 7515 section 5.2).
struct SignedToken: Sendable {
    let algorithm: JWSAlgorithm
    /// The name of the key, if the token has one.
    let keyID: String?
    private let signed: Data
    private let signature: Data

    /// `nil` unless the token's header has `alg`, and its signature is Base64url.
    init?(_ token: IDToken) {
        let text = token.token.reveal()
        let header = token.header
        guard let algorithm = header["alg"]?.string.flatMap(JWSAlgorithm.init),
            let dot = text.utf8.lastIndex(of: UInt8(ascii: ".")),
            let signature = Base64URL.decode(String(text[text.utf8.index(after: dot)...]))
        else { return nil }
        self.algorithm = algorithm
        self.signature = signature
        keyID = header["kid"]?.string
        signed = Data(text[..<dot].utf8)
    }

    /// Returns whether the key made the signature.
    func isSigned(by key: JSONWebKey) -> Bool {
        // A weak or malformed key verifies nothing.
        (try? key.verificationKey?.verify(signature, of: signed, algorithm: algorithm)) ?? false
    }
}
