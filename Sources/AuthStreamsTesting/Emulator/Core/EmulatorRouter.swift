import AuthStreams
import Foundation
import LoopbackHTTP

/// Passes each request to the service of its host; records the journal and the secrets, and applies faults.
final class EmulatorRouter: Sendable {
    let configuration: EmulatorConfiguration
    /// The emulator's URL, without a trailing slash.
    let base: String
    let authorities: EmulatorAuthorities
    let journal = JournalStore()
    let faults = FaultPlan()
    let secrets = SecretStore()
    let grants: GrantStore
    let signer = TokenSigner()
    /// The services by host. Some hosts, such as `www.googleapis.com`, are shared.
    let services: [String: [any EmulatorService]]

    init(_ configuration: EmulatorConfiguration, port: UInt16) {
        self.configuration = configuration
        base = "http://127.0.0.1:\(port)"
        authorities = EmulatorAuthorities(port: port, configuration)
        grants = GrantStore(clock: configuration.clock)
        let services = EmulatorServices.all(for: configuration).flatMap { service in
            service.hosts.map { ($0, [service]) }
        }
        self.services = Dictionary(services, uniquingKeysWith: +)
    }

    /// Answers a request from the network.
    func respond(to request: LoopbackRequest) async -> LoopbackResponse {
        let emulated = EmulatorRequest(request)
        if let refusal = authorities.refusal(of: request, isOpen: emulated?.isForOwnPages == false) { return refusal }
        let base = authorities.base(for: request) ?? base
        guard let emulated else {
            guard request.path == "/" else { return .notFound(request.header("Accept")) }
            return StartPage(configuration: configuration, base: base, hosts: services.keys.sorted()).response
        }
        if let answer = OtherOrigins.preflightAnswer(to: emulated) { return answer }
        // Answers have the date of the emulated servers, which a test may move.
        let response = await dispatch(emulated, below: base).dated(configuration.clock.date)
        return OtherOrigins.allow(response, to: emulated)
    }

    /// Answers a request of the network or of an emulated service.
    ///
    /// - Parameter base: The emulator's URL under the name that the request uses.
    func dispatch(_ received: EmulatorRequest, below base: String) async -> LoopbackResponse {
        let notes = RequestNotes()
        return await RequestNotes.$current.withValue(notes) { await dispatch(received, below: base, notes) }
    }

    private func dispatch(
        _ received: EmulatorRequest, below base: String, _ notes: RequestNotes
    ) async -> LoopbackResponse {
        let entry = journal.begin(received)
        secrets.collect(from: received)
        let fault = faults.next(for: received)
        fault?.arrive()
        var request = received
        request.tokenFault = fault?.token
        request.requestedError = fault?.serverError
        let response: LoopbackResponse =
            if let instead = fault?.replacement {
                instead
            } else {
                await answer(request, below: base)
            }
        secrets.collect(from: response, host: request.host)
        let delivered = await fault?.deliver(response, now: configuration.clock.date) ?? response
        journal.finish(entry, status: delivered.status, note: notes.text)
        return delivered
    }

    /// The service of a type, which every emulator has.
    func service<Service: EmulatorService>(_ type: Service.Type = Service.self) -> Service? {
        services.values.lazy.joined().lazy.compactMap { $0 as? Service }.first
    }

    /// What a service has for a request that no name of the emulator came with.
    var context: EmulatorContext { EmulatorContext(base: base, router: self) }

    private func answer(_ received: EmulatorRequest, below base: String) async -> LoopbackResponse {
        let context = EmulatorContext(base: base, router: self)
        var request = received
        // The listener leaves out the body (RFC 9110 section 9.3.2).
        if request.method == "HEAD" { request.method = "GET" }
        for service in services[request.host] ?? [] {
            if let response = await service.respond(to: request, in: context) { return response }
        }
        return .notFound(request.header("Accept"))
    }
}

extension LoopbackResponse {
    /// The answer at an address that no service has: a page for a browser that shows it, otherwise problem details (RFC 9457), which
    /// are the error of no protocol that it emulates.
    ///
    /// - Parameter accepted: The `Accept` field of the request.
    static func notFound(_ accepted: String?) -> Self {
        let message = "No emulated service has this address."
        guard accepted?.contains("text/html") ?? false else { return problem(message) }
        return .message("Not found", message, status: 404)
    }

    private static func problem(_ detail: String) -> Self {
        var response = Self.json(["title": "Not Found", "status": 404, "detail": .string(detail)], status: 404)
        response.headers = [("Content-Type", "application/problem+json")]
        return response
    }
}

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
    /// endpoints of production services take requests of any site, as they do in production: those are open.
    func refusal(of request: LoopbackRequest, isOpen: Bool) -> LoopbackResponse? {
        if let host = request.header("Host"), !own.contains(host.lowercased()) {
            return .message(
                "Not this emulator",
                "The request is for the host '\(host)', which the emulator does not answer to. Use 127.0.0.1 with its port, or "
                    + "add the host to EmulatorConfiguration.allowedHosts.", status: 421)
        }
        guard !isOpen, let origin = request.header("Origin"), !isOwn(origin) else { return nil }
        return .message(
            "Not from this page",
            "The request was sent by a page of '\(origin)', and only pages of the emulator may send it. Begin at its start "
                + "page.", status: 403)
    }

    private func isOwn(_ origin: String) -> Bool {
        let origin = origin.lowercased()
        return ["http://", "https://"].contains {
            origin.hasPrefix($0) && own.contains(String(origin.dropFirst($0.count)))
        }
    }
}

extension EmulatorRequest {
    /// Whether production has no such endpoint: the emulator's pages, its forms, and what its apps and systems ask for.
    var isForOwnPages: Bool {
        host == AppServer.host || path.hasPrefix("/emulator/")
            || host == EmulatedIdentityToolkit.host && path.hasPrefix(EmulatedIdentityToolkit.administrationPath)
    }
}
