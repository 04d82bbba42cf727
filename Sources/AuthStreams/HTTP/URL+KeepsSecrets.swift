package import Foundation

extension URL {
    /// Whether a token may be sent to this URL: by https, or within this machine.
    package var keepsSecrets: Bool {
        switch scheme?.lowercased() {
        case "https": host()?.isEmpty == false
        case "http": ["127.0.0.1", "localhost", "::1", "[::1]"].contains(host()?.lowercased())
        default: false
        }
    }
}
