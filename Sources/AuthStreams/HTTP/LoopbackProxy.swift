import Foundation

/// Keeps requests to this machine away from proxies.
///
/// On Linux libcurl applies `http_proxy` to 127.0.0.1, too: codes and tokens for a local server would go to the proxy
/// in clear text.
package enum LoopbackProxy {
    /// The hosts that name this machine.
    private static let hosts = ["127.0.0.1", "localhost", "::1"]

    /// Returns the variable that would send a plain http request for this machine to a proxy; `nil` if none would.
    static func variable(
        leadingAway url: URL, in environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String? {
        guard url.scheme?.lowercased() == "http", let host = url.host()?.lowercased(), isThisMachine(host) else {
            return nil
        }
        // Only in lower case: a CGI program gets the upper-case one from a request's `Proxy` field.
        let variable = ["http_proxy", "all_proxy", "ALL_PROXY"].first { environment[$0]?.isEmpty == false }
        return isExempt(host, in: environment) ? nil : variable
    }

    /// Exempts this machine in the process's own environment. Call it before the process has a second thread.
    package static func exemptThisMachine() {
        #if !AUTH_DARWIN
            let environment = ProcessInfo.processInfo.environment
            let lacking = hosts.filter { !isExempt($0, in: environment) }
            guard !lacking.isEmpty else { return }
            let before = (environment["no_proxy"] ?? environment["NO_PROXY"]).map { [$0] } ?? []
            setenv("no_proxy", (before + lacking).joined(separator: ","), 1)
        #endif
    }

    private static func isThisMachine(_ host: String) -> Bool { hosts.contains(host) || host == "[::1]" }

    /// Returns whether `no_proxy` names the host. Ranges do not count, because not every version of libcurl supports
    /// them.
    private static func isExempt(_ host: String, in environment: [String: String]) -> Bool {
        let list = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
        if list.trimmingCharacters(in: .whitespaces) == "*" { return true }
        let names = list.split { $0 == "," || $0 == " " }.map { $0.lowercased().trimmingPrefix(".") }
        let bare = host.trimmingCharacters(in: ["[", "]"])
        return names.contains { $0 == bare || $0 == "[\(bare)]" }
    }
}

extension AuthError {
    static func leavesThisMachine(by variable: String) -> Self {
        AuthError(
            .misconfigured,
            """
            The environment variable \(variable) sends plain http for this machine to a proxy, which could read it, so nothing was \
            sent. Set no_proxy=127.0.0.1,localhost,::1 before the process starts.
            """)
    }
}
