import AuthStreams

/// An entry of Info.plist that an app lacks, or has where the system does not read it.
enum AppEntry: Hashable {
    /// `CFBundleURLTypes` does not list the scheme of the callback.
    case urlType(scheme: String)
    /// `LSApplicationQueriesSchemes` does not list the scheme of the other app.
    case queriedScheme(String)
    /// `LSApplicationQueriesSchemes` lists the scheme of the other app after those that the system reads. `place` counts
    /// from 1.
    case lateQueriedScheme(String, place: Int)
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
        case .lateQueriedScheme(let scheme, let place):
            """
            LSApplicationQueriesSchemes lists '\(scheme)' at place \(place), and the system reads only the first \
            \(AppInformation.queryLimit) entries, so it reports that the app is not installed: move the entry up.
            """
        case .sceneManifest:
            """
            UIApplicationSceneManifest is missing, and the app has no scene delegate: add it, and hand the URLs of \
            scene(_:openURLContexts:) to AuthService.handle. Built with the SDK of iOS 27, an app without scenes does not launch, \
            and application(_:open:options:) is not called.
            """
        }
    }

    /// Returns the error that names each entry that is missing or not read; `nil` if there is none.
    static func error(missing entries: [AppEntry?]) -> AuthError? {
        let remedies = entries.compactMap { $0?.remedy }
        guard !remedies.isEmpty else { return nil }
        return AuthError(.misconfigured, (["Correct the app's Info.plist."] + remedies).joined(separator: " "))
    }
}
