public import AuthStreams
public import Foundation

/// Opens other apps from an app extension, by a closure of yours.
///
/// ```swift
/// let opener = ExtensionApplicationOpener { url, _ in await context.open(url) }    // NSExtensionContext
/// ```
///
/// Which extensions may open URLs, and which URLs, each extension point decides (developer.apple.com/documentation/foundation/
/// nsextensioncontext/open(_:completionhandler:)). The answer opens the app that contains the extension, whose Info.plist lists
/// its scheme in `CFBundleURLTypes`. That is another process: the attempt in the extension does not get it. So where an extension
/// can show the provider's page, it needs no opener.
@MainActor
public struct ExtensionApplicationOpener: ApplicationOpener {
    /// Opens a URL, in an app alone if the second parameter is `true`, and returns whether it opened.
    public typealias Open = @MainActor @Sendable (_ url: URL, _ universalLinksOnly: Bool) async -> Bool

    private let information: AppInformation
    private let open: Open

    /// Makes an opener.
    ///
    /// - Parameter open: Opens a URL, and returns whether it opened.
    public nonisolated init(_ open: @escaping Open) { self.init(AppInformation(of: .main), open) }

    nonisolated init(_ information: AppInformation, _ open: @escaping Open) {
        self.information = information
        self.open = open
    }

    /// `true`: only opening the URL tells.
    public func canOpen(_ url: URL) -> Bool { true }

    /// `true`: the system hands a URL to the other app alone.
    public var hidesURLs: Bool { true }

    /// Checks the Info.plist of the app that contains the extension.
    ///
    /// - Throws: `misconfigured`; the explanation names the missing entry.
    public func validateConfiguration(toOpen url: URL, answeringAt callback: URL) throws(AuthError) {
        if let error = AppEntry.error(missing: [information.missingEntry(toReceive: callback)]) { throw error }
    }

    /// Opens the URL by the closure.
    ///
    /// - Returns: The visit, whose end cannot be observed, or `nil` if nothing opened.
    public func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? {
        await open(url, universalLinksOnly) ? .unobservable : nil
    }
}
