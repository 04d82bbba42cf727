import AuthStreams
import Foundation

extension GoogleProvider {
    /// How Google's answer returns; it depends on the client's type.
    public enum Redirect: Equatable, Sendable {
        /// A listener on 127.0.0.1, on any port: for clients of type Desktop. Google refuses it for mobile types.
        case loopback
        /// `com.googleusercontent.apps.NUM-HASH:/oauth2callback`: for clients of type iOS. The app must register that
        /// scheme.
        case reversedClientID

        /// The redirect URI of an iOS client, with a single slash; `nil` if the client ID has another form.
        static func reversed(clientID: String) -> URL? {
            let suffix = ".apps.googleusercontent.com"
            let id = clientID.lowercased()
            guard id.hasSuffix(suffix), id.count > suffix.count else { return nil }
            return URL(string: "com.googleusercontent.apps.\(id.dropLast(suffix.count)):/oauth2callback")
        }

        /// How the answer returns to an app, or to a command-line program.
        init(for redirect: AuthPlatform.Redirect) {
            switch redirect {
            case .appURL: self = .reversedClientID
            case .loopback: self = .loopback
            }
        }
    }
}
