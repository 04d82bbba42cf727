import AuthStreams
package import Foundation

/// What the Naver app is opened with to ask for a code, and where its answer goes.
///
/// The exchange carries no `state`: what binds an answer to an attempt is that one is waiting, and that the code is
/// worthless without the secret on the server.
package struct NaverAppRequest: Sendable {
    package var clientID: String
    package var urlScheme: String
    package var appName: String
    /// `reprompt`, when the person is to be asked for the consents again. The app knows no other: Naver's own client leaves
    /// `reauthenticate` out of it.
    package var authType: String?

    package init(clientID: String, urlScheme: String, appName: String, authType: String?) {
        self.clientID = clientID
        self.urlScheme = urlScheme
        self.appName = appName
        self.authType = authType
    }

    /// Whether the Naver app is there; the app lists the scheme in `LSApplicationQueriesSchemes`.
    package static let availabilityURL = URL(literal: "naversearchthirdlogin://")

    /// The URL that opens the Naver app.
    package var url: URL? {
        var fields = [
            ("version", "2"), ("callbackScheme", urlScheme), ("extOauthConsumerKey", clientID),
            ("response_type", "code"), ("extAppName", appName),
        ]
        if let authType { fields.append(("authType", authType)) }
        return URL(string: "naversearchthirdlogin://thirdPartyLogin?\(FormCoding.encode(fields))")
    }
}
