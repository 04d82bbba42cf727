import Foundation

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
