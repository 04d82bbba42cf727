import AuthStreams

/// Why one of Google's services refuses an app, independent of the user: the API key's restriction, or App Check.
///
/// The request's identification of the app decides the explanation, because the service answers the same for 'missing'
/// and 'wrong'.
enum AppRefusal {
    /// The key is restricted to bundle identifiers, and this one is not among them.
    case bundleID
    /// App Check is enforced, and there was no valid token.
    case appCheck

    /// The reason in `google.rpc.ErrorInfo` of a key that is restricted to bundle identifiers.
    static let bundleReason = "API_KEY_IOS_APP_BLOCKED"

    /// Returns the error for a request with that identification of the app.
    func error(to app: AppIdentity, serverCode: String?) -> AuthError {
        AuthError(.misconfigured, explanation(to: app), serverCode: serverCode)
    }

    private func explanation(to app: AppIdentity) -> String {
        switch self {
        case .bundleID where app.bundleID == nil:
            "The API key is restricted to iOS apps, and no bundle identifier was sent. Set the project's `bundleID`."
        case .bundleID:
            "The API key's restrictions shut out the bundle identifier that was sent. Allow it in the Cloud console, "
                + "Credentials, or correct the project's `bundleID`."
        case .appCheck where app.appCheckToken == nil:
            "App Check is enforced, and no token was sent. Set the project's `appCheckToken`; if it is set, it returned "
                + "nothing."
        case .appCheck:
            "App Check refused the token that was sent. Check that it is of this project and app, and on a simulator that "
                + "its debug token is registered in the Firebase console."
        }
    }
}
