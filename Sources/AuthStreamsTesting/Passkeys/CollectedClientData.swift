import AuthStreams
package import Foundation

/// What the client tells the authenticator and the server of a request (WebAuthn Level 3 section 5.8.1).
package struct CollectedClientData: Hashable, Sendable {
    /// The kind of the request.
    package enum Kind: String, Hashable, Sendable {
        /// A new passkey.
        case create = "webauthn.create"
        /// A sign-in.
        case get = "webauthn.get"
    }

    /// The kind of the request, such as `webauthn.get`.
    package var type: String
    /// The challenge in Base64URL.
    package var challenge: String
    /// The origin of the app or page, such as `https://example.com`.
    package var origin: String
    /// Whether the page was in a frame of another origin.
    package var crossOrigin: Bool
    /// The origin of the outermost page, if the page was in a frame of another origin and the client says so.
    package var topOrigin: String?

    /// Makes client data.
    package init(
        _ kind: Kind, challenge: Data, origin: String, crossOrigin: Bool = false, topOrigin: String? = nil
    ) {
        type = kind.rawValue
        self.challenge = Base64URL.encode(challenge)
        self.origin = origin
        self.crossOrigin = crossOrigin
        self.topOrigin = topOrigin
    }

    /// Reads client data, with the members in any order and others among them; `nil` if a member is missing, is of another type or
    /// comes twice.
    package init?(json bytes: Data) {
        // 'UTF-8 decode' takes a mark of the byte order away.
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Data(bytes.dropFirst(3)) : bytes
        guard let json = AuthJSON(json: text), !AuthJSON.repeatsMember(text), let type = json["type"]?.string,
            let challenge = json["challenge"]?.string, let origin = json["origin"]?.string
        else { return nil }
        let (crossOrigin, topOrigin) = (json["crossOrigin"], json["topOrigin"])
        guard crossOrigin?.bool != nil || crossOrigin == nil, topOrigin?.string != nil || topOrigin == nil else {
            return nil
        }
        self.type = type
        self.challenge = challenge
        self.origin = origin
        self.crossOrigin = crossOrigin?.bool ?? false
        self.topOrigin = topOrigin?.string
    }

    /// The bytes whose hash is signed: members in a fixed order, without white space (section 5.8.1.1).
    package var serialized: Data {
        let members = [("type", type), ("challenge", challenge), ("origin", origin)]
            .map { #""\#($0)":\#(Self.quoted($1))"# }
        let top = topOrigin.map { [#""topOrigin":\#(Self.quoted($0))"#] } ?? []
        return Data("{\((members + [#""crossOrigin":\#(crossOrigin)"#] + top).joined(separator: ","))}".utf8)
    }

    /// The function 'CCDToString'.
    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": #"\""#
            case "\\": #"\\"#
            case "\u{0}"..."\u{1F}":
                #"\u"# + String(repeating: "0", count: scalar.value < 16 ? 3 : 2) + String(scalar.value, radix: 16)
            default: String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }
}
