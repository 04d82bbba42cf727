import AuthStreams

/// A request's identification of the app: its bundle identifier and its App Check token.
struct AppIdentity: Equatable, Sendable {
    private(set) var bundleID: String?
    private(set) var appCheckToken: Secret?

    /// Neither, for an answer that says nothing about the app.
    static let unsaid = Self()

    private init() {}

    /// Gets the app's identity from the project.
    ///
    /// - Throws: `misconfigured` for a value that a header field cannot hold, and the errors of the project's App Check
    ///   closure.
    init(of project: FirebaseProject, clock: AuthClock) async throws(AuthError) {
        if let bundleID = project.bundleID, !bundleID.isEmpty {
            guard bundleID.isPrintableASCII else { throw Self.unsendable("bundle identifier") }
            self.bundleID = bundleID
        }
        if let token = try await Self.appCheckToken(of: project, clock: clock), !token.isEmpty {
            guard token.reveal().isPrintableASCII else { throw Self.unsendable("App Check token") }
            appCheckToken = token
        }
    }

    private static func appCheckToken(
        of project: FirebaseProject, clock: AuthClock
    ) async throws(AuthError) -> Secret? {
        guard let source = project.appCheckToken else { return nil }
        return try await ClosureCall("App Check", limit: project.appCheckTimeLimit, clock: clock, source: source)
            .value()
    }

    var headers: [HeaderName: String] {
        var headers: [HeaderName: String] = [:]
        headers["x-ios-bundle-identifier"] = bundleID
        headers["x-firebase-appcheck"] = appCheckToken?.reveal()
        return headers
    }

    private static func unsendable(_ what: String) -> AuthError {
        AuthError(
            .misconfigured, "The project's \(what) has spaces, line breaks or other characters that no \(what) has.")
    }
}

extension String {
    /// Whether it has only visible ASCII characters, so that it can neither end a header field nor begin another.
    var isPrintableASCII: Bool { utf8.allSatisfy { (0x21...0x7E).contains($0) } }
}

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
