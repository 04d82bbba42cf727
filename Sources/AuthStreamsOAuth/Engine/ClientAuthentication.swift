public import AuthStreams
import Foundation

/// How a client proves who it is at an endpoint of the issuer (RFC 6749 section 2.3).
///
/// A secret that ships with an app is not secret (RFC 8252 section 8.5). Some servers require one all the same.
public enum ClientAuthentication: Hashable, Sendable {
    /// A public client, as most apps are: `client_id` alone, in the body (section 3.2.1).
    case none
    /// `client_secret_basic`: identifier and secret in the field `Authorization` (section 2.3.1).
    case basic(Secret)
    /// `client_secret_post`: identifier and secret in the body (section 2.3.1).
    case post(Secret)

    /// The fields and header fields of a request.
    func proof(
        of clientID: String
    ) -> (fields: [(name: String, value: String)], headers: [HeaderName: String]) {
        switch self {
        case .none: return ([("client_id", clientID)], [:])
        case .post(let secret): return ([("client_id", clientID), ("client_secret", secret.reveal())], [:])
        case .basic(let secret):
            // Each is form-encoded before Base64, or a colon in one of them would end the identifier.
            let pair = "\(FormCoding.escape(clientID)):\(FormCoding.escape(secret.reveal()))"
            return ([], [.authorization: "Basic \(Data(pair.utf8).base64EncodedString())"])
        }
    }
}
