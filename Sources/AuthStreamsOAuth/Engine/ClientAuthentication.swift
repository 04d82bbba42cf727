public import AuthStreams
import Foundation

/// How a client proves who it is at an endpoint of its server (RFC 6749 section 2.3).
///
/// A secret that ships with an app is not secret (RFC 8252 section 8.5). Some servers require one all the same.
public struct ClientAuthentication: Equatable, Sendable {
    private enum Method: Equatable {
        case none
        case basic
        case post
    }

    private let method: Method
    /// The client's secret; `nil` for a public client.
    let secret: Secret?

    /// A public client, as most apps are: `client_id` alone, in the body (section 3.2.1).
    public static let publicClient = ClientAuthentication(method: .none, secret: nil)

    /// `client_secret_basic`: identifier and secret in the field `Authorization` (section 2.3.1).
    public static func basic(_ secret: Secret) -> Self { Self(method: .basic, secret: secret) }

    /// `client_secret_post`: identifier and secret in the body (section 2.3.1).
    public static func post(_ secret: Secret) -> Self { Self(method: .post, secret: secret) }

    /// The fields and header fields of a request.
    func proof(
        of clientID: String
    ) -> (fields: [(name: String, value: String)], headers: [HeaderName: String]) {
        let secret = secret?.reveal() ?? ""
        switch method {
        case .none: return ([("client_id", clientID)], [:])
        case .post: return ([("client_id", clientID), ("client_secret", secret)], [:])
        case .basic:
            // Each is form-encoded before Base64, or a colon in one of them would end the identifier.
            let pair = "\(FormCoding.escape(clientID)):\(FormCoding.escape(secret))"
            return ([], [.authorization: "Basic \(Data(pair.utf8).base64EncodedString())"])
        }
    }
}
