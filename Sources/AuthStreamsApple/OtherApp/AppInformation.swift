import AuthStreams
import Foundation

/// What an app's Info.plist says about opening other apps, and about being opened.
struct AppInformation: Sendable {
    /// The schemes of URLs that open this app, in lower case: `CFBundleURLTypes`.
    let schemes: Set<String>
    /// The schemes whose apps it may ask for, in lower case and in their order: `LSApplicationQueriesSchemes`.
    let queriedSchemes: [String]
    /// How many of ``queriedSchemes`` the system reads: the first 50, for an app that is linked on iOS 15 or later.
    static let queryLimit = 50
    /// Whether it declares that it has scenes: `UIApplicationSceneManifest`.
    let hasSceneManifest: Bool

    /// - Parameter dictionary: The content of Info.plist. What has another type than Apple documents counts as missing.
    init(_ dictionary: [String: Any]) {
        let types = dictionary["CFBundleURLTypes"] as? [[String: Any]] ?? []
        schemes = Set(types.flatMap { $0["CFBundleURLSchemes"] as? [String] ?? [] }.map { $0.lowercased() })
        let queried = dictionary["LSApplicationQueriesSchemes"] as? [String] ?? []
        queriedSchemes = queried.map { $0.lowercased() }
        hasSceneManifest = dictionary["UIApplicationSceneManifest"] as? [String: Any] != nil
    }

    /// - Parameter bundle: The bundle of the process. An extension's URLs open the app that contains it.
    init(of bundle: Bundle) { self.init(bundle.ofApp.infoDictionary ?? [:]) }

    /// Returns the entry without which no URL like this one opens the app; `nil` if it is there, or if none is needed: a web
    /// address opens an app by its associated domains.
    func missingEntry(toReceive callback: URL) -> AppEntry? {
        guard let scheme = callback.appScheme, !schemes.contains(scheme) else { return nil }
        return .urlType(scheme: scheme)
    }

    /// Returns the entry without which the system says of each app that it is not installed; `nil` if it is there, among
    /// those that the system reads.
    func missingEntry(toQuery url: URL) -> AppEntry? {
        guard let scheme = url.appScheme else { return nil }
        guard let index = queriedSchemes.firstIndex(of: scheme) else { return .queriedScheme(scheme) }
        return index < Self.queryLimit ? nil : .lateQueriedScheme(scheme, place: index + 1)
    }
}

extension URL {
    /// The scheme in lower case; `nil` for web addresses.
    fileprivate var appScheme: String? {
        guard let scheme = scheme?.lowercased(), scheme != "https", scheme != "http" else { return nil }
        return scheme
    }
}
