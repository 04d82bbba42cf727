import AuthStreams
package import Foundation

/// The URL that opens the Naver app to ask for a code, and the callback URL of its answer.
///
/// The answer carries no `state`, so nothing binds it to the attempt; see ``NaverProvider``. The code is useless without the
/// client secret on the server.
package struct NaverAppRequest: Sendable {
    package var clientID: String
    package var urlScheme: String
    package var appName: String
    /// `reprompt` to ask the person for the consents again. The app supports no other value: Naver's own client does
    /// not send `reauthenticate` to it.
    package var authType: String?

    package init(clientID: String, urlScheme: String, appName: String, authType: String?) {
        self.clientID = clientID
        self.urlScheme = urlScheme
        self.appName = appName
        self.authType = authType
    }

    /// The URL for `canOpenURL`, which tells whether the Naver app is installed; this app lists the scheme in
    /// `LSApplicationQueriesSchemes`.
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
