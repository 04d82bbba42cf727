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
}

extension ApplicationOpener {
    /// Checks nothing: for systems where apps declare no schemes.
    public func validateConfiguration(toOpen url: URL, answeringAt callback: URL) throws(AuthError) {}
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
    public func waitForReturn() async { await waitForReturnBody() }
}
