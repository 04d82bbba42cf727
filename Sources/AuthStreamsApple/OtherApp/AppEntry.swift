import AuthStreams

/// An entry of Info.plist that an app lacks.
enum AppEntry: Hashable {
    /// `CFBundleURLTypes` does not list the scheme of the callback.
    case urlType(scheme: String)
    /// `LSApplicationQueriesSchemes` does not list the scheme of the other app.
    case queriedScheme(String)
    /// `UIApplicationSceneManifest` is missing, and no scene has a delegate.
    case sceneManifest

    private var remedy: String {
        switch self {
        case .urlType(let scheme):
            """
            CFBundleURLTypes lacks the scheme '\(scheme)', so no answer of the other app opens this one: add an entry whose \
            CFBundleURLSchemes has it.
            """
        case .queriedScheme(let scheme):
            """
            LSApplicationQueriesSchemes lacks '\(scheme)', so the system reports that the app is not installed: add it to the \
            array.
            """
        case .sceneManifest:
            """
            UIApplicationSceneManifest is missing, and the app has no scene delegate: add it, and hand the URLs of \
            scene(_:openURLContexts:) to AuthService.handle. Built with the SDK of iOS 27, an app without scenes does not launch, \
            and application(_:open:options:) is not called.
            """
        }
    }

    /// Returns the error that names each missing entry; `nil` if none is missing.
    static func error(missing entries: [AppEntry?]) -> AuthError? {
        let remedies = entries.compactMap { $0?.remedy }
        guard !remedies.isEmpty else { return nil }
        return AuthError(.misconfigured, (["The app's Info.plist is not complete."] + remedies).joined(separator: " "))
    }
}
