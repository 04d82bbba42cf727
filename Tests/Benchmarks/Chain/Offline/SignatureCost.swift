import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation

/// What the system's library takes to verify the signature of an ID token, in nanoseconds.
struct SignatureCost: Sendable {
    private let message: Data
    private let signature: Data
    private let key: PublicKey

    /// `nil` where the system verifies no signatures.
    init?() {
        let signer = TokenSigner()
        let host = "accounts.google.com"
        let token = signer.token(["sub": "1001"], host: host)
        guard signer.isAvailable, let dot = token.lastIndex(of: "."),
            let signature = Base64URL.decode(String(token[token.index(after: dot)...])),
            let members = signer.keySet(host: host)["keys"]?.array?.first?.object,
            let key = JSONWebKey(members: members).publicKey
        else { return nil }
        message = Data(token[..<dot].utf8)
        self.signature = signature
        self.key = key
    }

    func mean(of count: Int) throws -> Double {
        let begin = Stopwatch.nanoseconds()
        for _ in 0..<count {
            consume(try Signatures.verify(signature, of: message, algorithm: .rs256, key: key))
        }
        return (Stopwatch.nanoseconds() - begin) / Double(count)
    }
}
