import AuthStreams
import Foundation

/// A request to an app: for a code, with its client and callback URL.
struct AppRequest {
    let app: EmulatedApps.App
    /// The form that the app sends to its own server to get the code.
    let fields: [(name: String, value: String)]
    /// The callback URL, without the query.
    let callback: String

    init(_ app: EmulatedApps.App, url: URL) throws(AppRequestError) {
        self.app = app
        switch app {
        case .kakaoTalk: (fields, callback) = try KakaoTalkURL.read(url)
        case .naver: (fields, callback) = try NaverAppURL.read(url)
        }
    }

    /// Requests the answer from the app's server, which the emulator plays.
    func redirect(
        decision: String, user: String?, _ emulator: URL, _ transport: any AuthHTTPTransport
    ) async throws(AppRequestError) -> URL {
        guard let endpoint = URL(string: emulator.absoluteString.trimmingSuffix("/") + path) else {
            throw AppRequestError(explanation: "The emulator's address is no URL to build on.")
        }
        var form = fields + [("decision", decision)]
        if let user { form.append(("user", user)) }
        let request = AuthHTTPRequest(
            .post, endpoint, headers: [.contentType: FormCoding.contentType], body: Data(FormCoding.encode(form).utf8))
        let response: AuthHTTPResponse
        do { response = try await transport.send(request) } catch {
            throw AppRequestError(
                explanation: "\(app.rawValue) could not reach the emulator: \(error.debugDescription)")
        }
        let answer = AuthJSON(json: response.body)
        guard response.isSuccess, let redirect = answer?["redirect"]?.string, let url = URL(string: redirect) else {
            let reason = answer?["error"]?.string ?? "no reason given"
            throw AppRequestError(explanation: "\(app.rawValue)'s server answered \(response.status): \(reason).")
        }
        return url
    }

    /// Returns the answer after the person pressed the app's cancel button.
    func cancellation() throws(AppRequestError) -> URL {
        switch app {
        case .kakaoTalk: try failure("cancelled")
        case .naver: try failure("2")
        }
    }

    /// Returns the answer with an error in the app's own dialect.
    func failure(_ error: String) throws(AppRequestError) -> URL {
        let query =
            switch app {
            case .kakaoTalk: [("error", error), ("error_description", "emulated")]
            case .naver: [("code", error), ("error_detail", "emulated")]
            }
        guard let url = URL(string: "\(callback)?\(FormCoding.encode(query))") else {
            throw AppRequestError(explanation: "The callback \(callback) is no URL to answer at.")
        }
        return url
    }

    private var path: String {
        switch app {
        case .kakaoTalk: "/talk-apps.kakao.com/emulator/code"
        case .naver: "/nid.naver.com/emulator/app-code"
        }
    }
}

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

/// Parses a URL for the Naver app, as strictly as possible:
/// `naversearchthirdlogin://thirdPartyLogin?version=2&…`.
enum NaverAppURL {
    private static let app = "Naver app"

    static func read(
        _ url: URL
    ) throws(AppRequestError) -> (fields: [(name: String, value: String)], callback: String) {
        guard url.host() == "thirdPartyLogin", url.path().isEmpty else {
            throw AppRequestError(explanation: "The \(app) is opened at naversearchthirdlogin://thirdPartyLogin.")
        }
        let query = try AppQuery(url, app: app)
        try query.require("version", "2")
        try query.require("response_type", "code")
        let clientID = try query.required("extOauthConsumerKey")
        let scheme = try query.required("callbackScheme")
        _ = try query.required("extAppName")
        // The app supports only asking for the consents again.
        if query.has("authType") { try query.require("authType", "reprompt") }
        guard scheme.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*/) != nil else {
            throw AppRequestError(explanation: "\(app): `callbackScheme` is no URL scheme.")
        }
        let fields = [("client_id", clientID), ("callback_scheme", scheme), ("response_type", "code")]
        return (fields, "\(scheme)://thirdPartyLoginResult")
    }
}

/// The query of a URL that an app was opened with. A parameter may occur only once.
struct AppQuery {
    private let fields: [String: String]
    private let app: String

    init(_ url: URL, app: String) throws(AppRequestError) {
        let query = url.query(percentEncoded: true) ?? ""
        guard let decoded = FormCoding.decode(query) else {
            throw AppRequestError(explanation: "\(app): the query has a broken percent escape.")
        }
        var fields: [String: String] = [:]
        for field in decoded where fields.updateValue(field.value, forKey: field.name) != nil {
            throw AppRequestError(explanation: "\(app): `\(field.name)` is there more than once.")
        }
        self.fields = fields
        self.app = app
    }

    /// Returns whether a parameter is present.
    func has(_ name: String) -> Bool { fields[name] != nil }

    /// Returns the value of a parameter that must be present and not empty.
    func required(_ name: String) throws(AppRequestError) -> String {
        guard let value = fields[name], !value.isEmpty else {
            throw AppRequestError(explanation: "\(app): `\(name)` is missing.")
        }
        return value
    }

    /// Throws unless the parameter has one of the values.
    func require(_ name: String, _ expected: String...) throws(AppRequestError) {
        let value = try required(name)
        guard expected.contains(value) else {
            throw AppRequestError(explanation: "\(app): `\(name)` has to be \(expected.joined(separator: " or ")).")
        }
    }

    /// Returns the JSON object in a parameter.
    func object(_ name: String) throws(AppRequestError) -> [String: AuthJSON] {
        let text = try required(name)
        guard let object = AuthJSON(json: Data(text.utf8))?.object else {
            throw AppRequestError(explanation: "\(app): `\(name)` is no JSON object.")
        }
        return object
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
