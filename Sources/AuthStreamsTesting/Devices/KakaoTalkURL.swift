import AuthStreams
import Foundation

/// Parses a URL for KakaoTalk, as strictly as possible.
///
/// Either `kakaokompassauth://authorize?…` or the same, percent-encoded, in the path of a universal link
/// `https://talk-apps.kakao.com/scheme/…`.
enum KakaoTalkURL {
    private static let app = "KakaoTalk"

    static func read(
        _ url: URL
    ) throws(AppRequestError) -> (fields: [(name: String, value: String)], callback: String) {
        let isUniversalLink = url.scheme == "https"
        let inner = isUniversalLink ? try unwrap(url) : url
        guard inner.scheme == "kakaokompassauth", inner.host() == "authorize", inner.path().isEmpty else {
            throw AppRequestError(explanation: "\(app) is opened at kakaokompassauth://authorize.")
        }
        let query = try AppQuery(inner, app: app)
        let clientID = try query.required("client_id")
        try query.require("response_type", "code")
        try query.require("redirect_uri", "kakao\(clientID)://oauth")
        if isUniversalLink {
            try query.require("deep_link_method", "universal_link")
        } else {
            try query.require("deep_link_method", "uri_scheme", "universal_link,uri_scheme")
        }
        guard let agent = try query.object("headers")["KA"]?.string, agent.hasPrefix("sdk/") else {
            throw AppRequestError(explanation: "\(app): `headers` has no KA that describes the client.")
        }
        let callback = try query.required("redirect_uri")
        let fields = [("client_id", clientID), ("redirect_uri", callback)] + (try read(params: query.object("params")))
        return (fields, callback)
    }

    /// Reads the nonce and the challenge, which the app passes on to its server.
    private static func read(
        params: [String: AuthJSON]
    ) throws(AppRequestError) -> [(name: String, value: String)] {
        guard let challenge = params["code_challenge"]?.string, Base64URL.decode(challenge)?.count == 32 else {
            throw AppRequestError(explanation: "\(app): `code_challenge` is no SHA-256 in Base64url.")
        }
        guard params["code_challenge_method"]?.string == "S256" else {
            throw AppRequestError(explanation: "\(app): `code_challenge_method` has to be S256.")
        }
        var fields = [("code_challenge", challenge), ("code_challenge_method", "S256")]
        if let nonce = params["nonce"] {
            guard let nonce = nonce.string, !nonce.isEmpty else {
                throw AppRequestError(explanation: "\(app): `nonce` is no text.")
            }
            fields.append(("nonce", nonce))
        }
        return fields
    }

    private static func unwrap(_ link: URL) throws(AppRequestError) -> URL {
        let path = link.path(percentEncoded: true)
        guard path.hasPrefix("/scheme/"), link.query() == nil,
            let text = String(path.dropFirst("/scheme/".count)).removingPercentEncoding, let inner = URL(string: text)
        else {
            throw AppRequestError(explanation: "\(app)'s universal link has its URL, percent-encoded, after /scheme/.")
        }
        return inner
    }
}
