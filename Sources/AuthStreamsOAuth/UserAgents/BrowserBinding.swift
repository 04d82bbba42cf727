import AuthStreams
import Foundation
import LoopbackHTTP

/// Binds an attempt to one browser: the first that fetches the start page receives a cookie, and only an answer with
/// that cookie counts.
///
/// The provider's URL holds the attempt's `state` and challenge. On a command line it would show in the list of processes, and
/// another user of the machine could answer in the person's place. So the browser is opened with the start page's URL, which
/// only the first browser that fetches it can use.
final class BrowserBinding: Sendable {
    enum Fetch {
        /// By the bound browser, for the first time or again.
        case bound
        /// By another browser, or by one that does not keep cookies.
        case foreign
    }

    /// The start page's path, with 128 random bits.
    let path = "/\(RandomBytes.base64URL(count: 16))"
    // A name per attempt: cookies depend on the host and not on the port, so the attempts of several programs share
    // them.
    private let name = "authstreams-\(RandomBytes.base64URL(count: 9))"
    private let value = Secret(RandomBytes.base64URL(count: 32))
    private let isUsed = Lock(false)

    /// Whether a browser has fetched the start page.
    var isFetched: Bool { isUsed.withLock { $0 } }

    /// Records a request for the start page, and returns whether it comes from the bound browser.
    func fetch(_ request: LoopbackRequest) -> Fetch {
        let isFirst = isUsed.withLock { isUsed in
            defer { isUsed = true }
            return !isUsed
        }
        return isFirst || isBound(request) ? .bound : .foreign
    }

    /// Returns whether a request comes from the browser that fetched the start page.
    func isBound(_ request: LoopbackRequest) -> Bool {
        let cookies = request.headers.lazy.filter { $0.name.lowercased() == "cookie" }.flatMap {
            $0.value.split(separator: ";")
        }
        return cookies.contains { cookie in
            let parts = cookie.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            // `Secret` compares in constant time.
            return parts.count == 2 && parts[0] == name && Secret(parts[1]) == value
        }
    }

    /// The field that sets the cookie. The browser sends it back when the provider's page redirects here; scripts cannot read
    /// it.
    var setting: (name: String, value: String) {
        ("Set-Cookie", "\(name)=\(value.reveal()); Path=/; HttpOnly; SameSite=Lax")
    }

    /// The field that removes the cookie.
    var removal: (name: String, value: String) { ("Set-Cookie", "\(name)=; Path=/; Max-Age=0") }
}
