public import Foundation

/// Opens another application, or the system's browser.
@MainActor
public protocol ApplicationOpener: Sendable {
    /// Returns whether an installed app opens the URL.
    func canOpen(_ url: URL) -> Bool

    /// Checks that this app is set up to open another app or a page, and to be opened by its answer.
    ///
    /// - Parameters:
    ///   - url: A URL of the other app's scheme, as for ``canOpen(_:)``, or a web page.
    ///   - callback: The URL of this app by which the other app or the page answers.
    /// - Throws: ``AuthError`` with code `misconfigured`; the explanation names each entry of Info.plist that is missing.
    func validateConfiguration(toOpen url: URL, answeringAt callback: URL) throws(AuthError)

    /// Opens the URL in the app that is registered for it.
    ///
    /// - Parameters:
    ///   - url: A web page, a universal link or a URL of another app's scheme.
    ///   - universalLinksOnly: Open the link only in an app, not in the browser.
    /// - Returns: The visit that began, or `nil` if nothing opened.
    func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit?

    /// Opens a page of a listener of this process in the browser. Unless given, opens its URL.
    ///
    /// - Returns: The visit that began, or `nil` if nothing opened.
    func open(_ page: ListenerPage) async -> ApplicationVisit?

    /// Whether the URLs that it opens are hidden from other users of the machine: `false` unless given.
    ///
    /// A URL in a process's arguments can be read by all users. An answer to a page that they could have opened first is not
    /// bound to the attempt, unless the page is a listener's to which this user alone connected, and not root.
    var hidesURLs: Bool { get }
}

extension ApplicationOpener {
    /// Checks nothing: for systems where apps declare no schemes.
    public func validateConfiguration(toOpen url: URL, answeringAt callback: URL) throws(AuthError) {}

    /// Opens the page's URL.
    public func open(_ page: ListenerPage) async -> ApplicationVisit? {
        await open(page.url, universalLinksOnly: false)
    }

    /// `false`.
    public var hidesURLs: Bool { false }
}

/// A page that a listener of this process serves to the first browser that fetches it.
public struct ListenerPage: Sendable {
    /// The page's URL. The first browser that fetches it begins the attempt, so it is never logged.
    public let url: URL
    private let isFetchedBody: @Sendable () -> Bool
    private let remarkBody: @Sendable (String) -> Void

    /// Makes a page.
    ///
    /// - Parameters:
    ///   - url: The page's URL.
    ///   - isFetched: Returns whether a browser has fetched the page.
    ///   - onRemark: Receives the remarks of the opener.
    package init(
        _ url: URL, isFetched: @escaping @Sendable () -> Bool = { false },
        onRemark: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.url = url
        isFetchedBody = isFetched
        remarkBody = onRemark
    }

    /// Whether a browser has fetched the page. Another browser that opens it then ends the attempt.
    public var isFetched: Bool { isFetchedBody() }

    /// Adds a sentence to the explanation of an attempt that ends without an answer, such as how a browser's command ended.
    ///
    /// - Parameter sentence: For engineers, without secrets.
    public func remark(_ sentence: String) { remarkBody(sentence) }
}

extension ListenerPage: DescriptionOnly {
    /// The URL's scheme, host and port; the path is the attempt's own.
    public var description: String { "page at \(url.scheme ?? "")://\(url.host() ?? ""):\(url.port ?? 0)" }
}

/// The time that the person spends in another app, until they return to this one.
public struct ApplicationVisit: Sendable {
    private let waitForReturnBody: @Sendable () async -> Void

    /// Makes a visit.
    ///
    /// - Parameter waitForReturn: Returns once this app is in front again after the visit began, even if that was
    ///   before the call, or when its task is cancelled.
    public init(waitForReturn: @escaping @Sendable () async -> Void) {
        waitForReturnBody = waitForReturn
    }

    /// A visit whose end cannot be observed, such as a browser window beside a terminal.
    public static let unobservable = ApplicationVisit { _ = await Promise<Never>().value() }

    /// Waits until the person returns or the task is cancelled.
    package func waitForReturn() async { await waitForReturnBody() }
}
