public import Foundation

/// Opens another application, or the system's browser.
@MainActor
public protocol ApplicationOpener: Sendable {
    /// Whether something is installed that opens the URL.
    func canOpen(_ url: URL) -> Bool

    /// Opens the URL in whatever is registered for it.
    ///
    /// - Parameters:
    ///   - url: A web page, a universal link or a URL of another app's scheme.
    ///   - universalLinksOnly: Open only if an app, not the browser, takes the link.
    /// - Returns: The visit that began, or `nil` when nothing opened.
    func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit?
}

/// The time that the person spends in another app, until they are back in this one.
public struct ApplicationVisit: Sendable {
    private let waitForReturnBody: @Sendable () async -> Void

    /// Makes a visit.
    ///
    /// - Parameter waitForReturn: Returns once this app is in front again after the visit began, also when that was
    ///   before the call; or when its task is cancelled.
    public init(waitForReturn: @escaping @Sendable () async -> Void) {
        waitForReturnBody = waitForReturn
    }

    /// A visit whose end cannot be seen, such as a browser window beside a terminal.
    public static let unobservable = ApplicationVisit { _ = await Promise<Never>().value() }

    /// Waits until the person is back, or the task is cancelled.
    public func waitForReturn() async { await waitForReturnBody() }
}
