package import AuthStreams

/// Kakao's errors as codes of this library: three dialects with one table each.
///
/// A callback has words (`access_denied`), the authorization server has KOE codes, the API server has negative numbers. A token
/// request can get either of the last two. The text of `msg` is never kept.
///
/// Two refusals need more than their rows. `-402` names the scopes that lack a consent, and the explanation repeats them.
/// `-406` means that the person is under 14; a callback says so by `access_denied` and a description, and its server code is
/// then `-406`, too. It is not the person's choice, and the page would refuse them as well.
package enum KakaoErrors {
    /// The server code of a person under 14, in every dialect.
    static let under14 = "-406"

    /// The `error` words of a callback. `cancelled` is KakaoTalk's own, the others are of the account page too.
    package static let callback: [String: AuthError.Meaning] = [
        "cancelled": (.cancelled, "The person cancelled in KakaoTalk."),
        "access_denied": (.accessDenied, "The person did not agree."),
        "invalid_request": (.misconfigured, "Kakao refused the request's form; check scopes, terms and channel ids."),
        "invalid_client": (.misconfigured, unknownKey),
        "invalid_scope": (.misconfigured, unknownScope),
        "invalid_grant": (.invalidCredential, "Kakao refused the grant. Start over."),
        "misconfigured": (.misconfigured, unknownPlatform),
        "unauthorized": (.misconfigured, unknownKey),
        "unauthorized_client": (.misconfigured, unknownKey),
        "login_required": (
            .requiresRecentSignIn, "No user is signed in to Kakao there, and a log-in could not be shown."
        ),
        "consent_required": (.accessDenied, "The person did not give a consent that is required."),
        "interaction_required": (.requiresRecentSignIn, "Kakao needed to show something that could not be shown."),
        "server_error": (.server, "Kakao failed. Try again later."),
        "auto_login": (.accessDenied, "Kakao could not sign the person in on its own."),
    ]

    /// The KOE codes of the authorization server (kauth).
    package static let kauth: [String: AuthError.Meaning] = [
        "KOE001": (.misconfigured, "Kakao could not read the request. Check the configured endpoints."),
        "KOE002": (.misconfigured, "There is nothing at that address. Check the configured endpoints."),
        "KOE003": (.server, "Kakao failed for the moment. Try again later."),
        "KOE004": (.misconfigured, "Kakao Login is off: turn on Kakao Login > General > State in the console."),
        "KOE005": (.misconfigured, "The app is in test: add the account under App > Members in the console."),
        "KOE006": (.misconfigured, "The redirect URI is not registered: Kakao Login > General > Redirect URI."),
        "KOE007": (.misconfigured, "The logout redirect URI is not registered: Kakao Login > Advanced."),
        "KOE008": (.misconfigured, "That kind of key cannot do this: use the native app key from App > App keys."),
        "KOE009": (.misconfigured, unknownPlatform),
        "KOE010": (.misconfigured, "The client secret is missing or wrong: use the native app key, which has none."),
        "KOE101": (.misconfigured, unknownKey),
        "KOE201": (.misconfigured, "Kakao does not know the response type. Check the configured endpoints."),
        "KOE203": (.accessDenied, "The person refused a consent that the console says is required."),
        "KOE204": (.misconfigured, "A parameter has a wrong value; check scopes, terms and channel ids."),
        "KOE205": (.misconfigured, unknownScope),
        "KOE207": (.misconfigured, "A parameter is missing. Check the configured endpoints and the redirect URI."),
        "KOE237": (.rateLimited, "Too many token requests. Wait before the next one."),
        "KOE303": (.misconfigured, "The redirect URI of the code and that of its redemption differ."),
        "KOE310": (.misconfigured, "Kakao does not know the grant type. Check the configured endpoints."),
        "KOE319": (.invalidCredential, "There was no refresh token. Sign in again."),
        "KOE320": (.invalidCredential, "The code was used already or is too old. Start over."),
        "KOE322": (.sessionExpired, "The refresh token is too old. Sign in again."),
    ]

    /// The `code` numbers of the API server (kapi).
    package static let kapi: [Int64: AuthError.Meaning] = [
        -1: (.server, "Kakao failed for the moment. Try again later."),
        -2: (.misconfigured, "A parameter is missing or wrong. Check the configured endpoints."),
        -3: (.misconfigured, "The feature is off for this app. Turn it on in the console."),
        -4: (.accessDenied, "Kakao has restricted this account."),
        -5: (.misconfigured, "The app has no permission for this. Ask for it in the console."),
        -7: (.server, "Kakao is under maintenance. Try again later."),
        -8: (.misconfigured, "A header was wrong. Check the bundle id and the configured endpoints."),
        -9: (.misconfigured, "Kakao no longer offers this. Update the library."),
        -10: (.rateLimited, "The app's quota is used up. Wait, or ask for more in the console."),
        -12: (.misconfigured, "Kakao has blocked this app. Ask Kakao why at its developer support."),
        -101: (.userNotFound, "The account is not linked to this app."),
        -102: (.credentialInUse, "The account is linked to this app already."),
        -103: (.userNotFound, "Kakao does not know the account, or it is dormant."),
        -201: (.misconfigured, "Kakao does not know a property key. Check the console's user properties."),
        -401: (.invalidCredential, "The token or the app key is wrong or has expired. Sign in again."),
        -402: (.accessDenied, "A consent is missing. Ask for its scope."),
        -406: (.accessDenied, "Kakao does not let people under 14 sign in to this app."),
        -501: (.userNotFound, "The account has no KakaoTalk."),
        -603: (.server, "Kakao's own service took too long. Try again later."),
        -9798: (.server, "Kakao is under maintenance. Try again later."),
    ]

    /// The part of the description by which an `access_denied` means a person under 14.
    private static let under14Description = "under age 14"
    private static let mostScopes = 16

    /// All three tables, for ``ExpectedCallback`` and ``TokenEndpoint``: the most specific code in the answer decides.
    package static let dialect: OAuthFailure.Dialect = { failure in
        if let code = failure.members["error_code"]?.string, let meaning = kauth[code] {
            return error(meaning, serverCode: code)
        }
        if failure.error.isEmpty, let code = failure.members["code"]?.lenientInteger {
            var meaning = kapi[code] ?? (.server, "Kakao failed with a number of its own.")
            let scopes = code == -402 ? scopes(failure.members["required_scopes"]) : []
            if !scopes.isEmpty { meaning.explanation += " Missing: \(scopes.joined(separator: ", "))." }
            return error(meaning, serverCode: String(code))
        }
        if failure.error == "access_denied", failure.errorDescription?.contains(under14Description) == true,
            let meaning = kapi[-406]
        {
            return error(meaning, serverCode: under14)
        }
        return callback[failure.error].map { error($0, serverCode: failure.error) }
    }

    /// The elements of an array that have the form of a scope. Others are left out.
    private static func scopes(_ names: AuthJSON?) -> [String] {
        let names = (names?.array ?? []).prefix(mostScopes).compactMap(\.string)
        return names.filter { name in
            (1...64).contains(name.utf8.count)
                && name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 95 }
        }
    }

    private static func error(_ meaning: AuthError.Meaning, serverCode: String) -> AuthError {
        AuthError(meaning.code, meaning.explanation, provider: .kakao, serverCode: serverCode)
    }

    private static let unknownKey =
        "Kakao does not know this key, or it is of another kind: use the native app key from App > App keys."
    private static let unknownScope =
        "A scope is not set up for this app: turn it on under Kakao Login > Consent items, and OpenID Connect for openid."
    private static let unknownPlatform =
        "This app is not registered: add its bundle id under App > Platform > iOS in the console."
}
