import LoopbackHTTP

/// The authorities (host and port) of an emulator, by which it knows requests that a page of another site sends.
///
/// A browser lets any page send a form to any address, and a page whose name leads to 127.0.0.1 read the answer. `Host`
/// tells the name that the page used (RFC 9110 section 7.2), `Origin` the site of the page that sent a form (RFC 6454
/// section 7).
struct EmulatorAuthorities: Sendable {
    private let own: Set<String>

    init(port: UInt16, _ configuration: EmulatorConfiguration) {
        let names = ["127.0.0.1", "localhost", "[::1]"]
        // Browsers leave out the port that the scheme implies.
        own = Set(names.map { "\($0):\(port)" } + (port == 80 ? names : [])).union(
            configuration.allowedHosts.map { $0.lowercased() })
    }

    /// The URL of the emulator under the name that a request uses, without a trailing slash; `nil` for one that names none.
    func base(for request: LoopbackRequest) -> String? { request.header("Host").map { "http://\($0.lowercased())" } }

    /// Whether the emulator serves a production URL at that URL, under one of its names.
    func serve(_ productionURL: String, at url: String) -> Bool {
        own.contains { url == productionURL.served(below: "http://\($0)") }
    }

    /// Returns the answer to a request for another host, or of a page of another site where only the emulator's own pages
    /// and programs have access; `nil` for every other request.
    ///
    /// A request without `Host` was not sent over the network, and one without `Origin` was not sent by a form or script. The
    /// endpoints of production services take requests of any site, as they do in production.
    func refusal(of request: LoopbackRequest) -> LoopbackResponse? {
        if let host = request.header("Host"), !own.contains(host.lowercased()) {
            return Self.page(
                421, "Not this emulator",
                "The request is for the host '\(host)', which the emulator does not answer to. Use 127.0.0.1 with its port, or "
                    + "add the host to EmulatorConfiguration.allowedHosts.")
        }
        let isOpen = EmulatorRequest(request).map { !$0.isForOwnPages } ?? false
        guard !isOpen, let origin = request.header("Origin"), !isOwn(origin) else { return nil }
        return Self.page(
            403, "Not from this page",
            "The request was sent by a page of '\(origin)', and only pages of the emulator may send it. Begin at its start "
                + "page.")
    }

    private func isOwn(_ origin: String) -> Bool {
        let origin = origin.lowercased()
        return ["http://", "https://"].contains {
            origin.hasPrefix($0) && own.contains(String(origin.dropFirst($0.count)))
        }
    }

    private static func page(_ status: Int, _ title: String, _ message: String) -> LoopbackResponse {
        .html(MessagePage(title: title, message: message).html, status: status)
    }
}

extension EmulatorRequest {
    /// Whether production has no such endpoint: the emulator's pages, its forms, and what its apps and systems ask for.
    var isForOwnPages: Bool { host == AppServer.host || path.hasPrefix("/emulator/") }
}
