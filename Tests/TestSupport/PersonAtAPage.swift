import AuthStreams
package import AuthStreamsTesting
package import Foundation
import Testing

/// A person answers a provider's page, which the app opened.
///
/// - Parameter answer: What the person does; agrees unless given.
/// - Returns: The URL of the app that the page redirects to.
@MainActor
package func answer(to page: URL, _ answer: ScriptedBrowser.Answer = .approve) async throws -> URL {
    let redirect = Lock<URL?>(nil)
    let browser = ScriptedBrowser(answer, transport: URLSessionTransport.untimed()) { url in
        redirect.withLock { $0 = url }
        return true
    }
    _ = await browser.open(page, universalLinksOnly: false)
    await browser.waitUntilSettled()
    return try #require(redirect.withLock { $0 }, "\(browser.visits)")
}
