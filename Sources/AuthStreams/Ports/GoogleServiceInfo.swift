package import Foundation

/// The property list `GoogleService-Info.plist`, which Google's consoles offer for an app.
///
/// Here because it configures both Firebase and the provider Google, whose modules do not know each other. Its errors are
/// `misconfigured`. They name the file and the key, and of the values only the bundle identifier.
package struct GoogleServiceInfo: Sendable {
    private let file: String
    private let texts: [String: String]

    /// The file in the bundle of the process, or in that of the app that contains the extension; `nil` if it is in neither.
    package static var bundled: URL? {
        [Bundle.main, Bundle.main.ofApp].lazy
            .compactMap { $0.url(forResource: "GoogleService-Info", withExtension: "plist") }.first
    }

    /// Reads a file.
    ///
    /// - Parameter url: The file; `nil` for one that was not found in the bundle of the app.
    package init(at url: URL?) throws(AuthError) {
        guard let url else {
            throw AuthError(
                .misconfigured,
                """
                The property list is not in the bundle of the app. Add GoogleService-Info.plist of the Firebase console to the \
                app's target. If the file has another name, give its URL.
                """)
        }
        // A URL of the web would be loaded while the app launches.
        guard url.isFileURL else {
            throw AuthError(.misconfigured, "The property list is read from a file. Give a URL with the scheme file.")
        }
        file = url.lastPathComponent
        let data: Data
        do { data = try Data(contentsOf: url) } catch {
            throw AuthError(
                .misconfigured, "\(file) cannot be read. Check that the file is at the URL that was given.",
                cause: error)
        }
        guard let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
            let values = list as? [String: Any]
        else {
            throw AuthError(
                .misconfigured,
                """
                \(file) is not a property list with keys. Download GoogleService-Info.plist from the Firebase console, for an app \
                of type iOS: google-services.json is for Android.
                """)
        }
        texts = values.compactMapValues { $0 as? String }
    }

    /// Returns the text of a key.
    ///
    /// - Parameter remedy: What to do if the key is missing, empty or not a text.
    package func text(
        for key: String, orElse remedy: String = "Download the file again from the Firebase console."
    ) throws(AuthError) -> String {
        guard let text = texts[key], !text.isEmpty else {
            throw AuthError(.misconfigured, "\(file) has no text for the key \(key). \(remedy)")
        }
        return text
    }

    /// Checks that the file is of an app.
    ///
    /// - Parameter bundleID: The bundle identifier of the app; `nil` on systems without bundles, where any is right.
    /// - Returns: The bundle identifier that the file names.
    @discardableResult
    package func requireBundleID(_ bundleID: String?) throws(AuthError) -> String {
        let named = try text(for: "BUNDLE_ID")
        guard let bundleID, bundleID != named else { return named }
        throw AuthError(
            .misconfigured,
            """
            \(file) is of the app \(named), and this app is \(bundleID). Download the file of this app from the Firebase console, \
            where it has to be registered with this bundle identifier.
            """)
    }
}
