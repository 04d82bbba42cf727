import AuthStreams
import Foundation
import LoopbackHTTP

/// Passes each request to the service of its host; records the journal, and applies faults.
final class EmulatorRouter: Sendable {
    let port: UInt16
    /// The emulator's URL, without a trailing slash.
    let base: String
    let journal: JournalStore
    let faults = FaultPlan()
    let signer = TokenSigner()
    let control: EmulatorControl?
    /// How many seconds the emulator's clock is ahead of the configured one.
    private let clockOffset = Lock(TimeInterval(0))
    private let current: Lock<EmulatorWorld>

    init(_ configuration: EmulatorConfiguration, port: UInt16) {
        self.port = port
        base = "http://127.0.0.1:\(port)"
        var configuration = configuration
        let (clock, offset) = (configuration.clock, clockOffset)
        configuration.clock = AuthClock(clock, now: { clock.date + offset.withLock(\.self) })
        journal = JournalStore(clock: configuration.clock)
        control = configuration.controlToken.map { EmulatorControl(token: $0, start: configuration) }
        current = Lock(EmulatorWorld(configuration, port: port))
        settle(in: world)
    }

    var world: EmulatorWorld { current.withLock(\.self) }

    /// The configuration as it is now: with the clock, what people have agreed to, and the faults that are left.
    var configuration: EmulatorConfiguration {
        let world = world
        var configuration = world.configuration
        configuration.clockOffset = offset
        configuration.consents = world.grants.consents { $0.settings }
        configuration.faults = faults.all.filter { $0.fault != nil }
        return configuration
    }

    /// Resets to a configuration: what was issued before is unknown. The journal stays.
    func reset(to configuration: EmulatorConfiguration) {
        var configuration = configuration
        let known = world.configuration
        // What JSON does not have.
        (configuration.clock, configuration.controlToken) = (known.clock, known.controlToken)
        configuration.firebase.functionFormat = known.firebase.functionFormat
        configuration.server.signUpFields = known.server.signUpFields
        configuration.issuer.authentication = known.issuer.authentication
        let world = EmulatorWorld(configuration, port: port)
        settle(in: world)
        current.withLock { $0 = world }
        journal.announceChange()
    }

    /// Changes what differs from a configuration that was read before, and keeps what was issued, and what changed since.
    func change(to configuration: EmulatorConfiguration, from known: EmulatorConfiguration) {
        let world = EmulatorWorld(configuration, port: port, keeping: world)
        settle(in: world, unless: known)
        current.withLock { $0 = world }
        journal.announceChange()
    }

    /// Sets the clock, the faults, and what people have agreed to, where the configuration differs from what is known to hold.
    private func settle(in world: EmulatorWorld, unless known: EmulatorConfiguration? = nil) {
        let configuration = world.configuration
        clockOffset.withLock { $0 = configuration.clockOffset }
        faults.replace(known?.faults, by: configuration.faults)
        world.grants.consents { $0.replace(known?.consents ?? [], by: configuration.consents, in: configuration) }
    }

    /// How many seconds the clock is ahead of the configured one.
    var offset: TimeInterval { clockOffset.withLock(\.self) }

    /// Answers a request from the network.
    func respond(to request: LoopbackRequest) async -> LoopbackResponse {
        let world = world
        let emulated = EmulatorRequest(request)
        if let refusal = world.authorities.refusal(of: request, isOpen: emulated?.isForOwnPages == false) {
            return refusal
        }
        let base = world.authorities.base(for: request) ?? base
        guard let emulated else {
            let answer = { await self.answer(toOwn: request, EmulatorContext(base: base, router: self, world: world)) }
            guard let origin = request.header("Origin"), world.authorities.allows(origin) else { return await answer() }
            return await OtherOrigins.answer(to: request, of: origin, answer)
        }
        if let answer = OtherOrigins.preflightAnswer(to: emulated) { return answer }
        // Answers have the date of the emulated servers, which a test may move.
        let response = await dispatch(emulated, below: base, in: world).dated(world.configuration.clock.date)
        return OtherOrigins.allow(response, to: emulated)
    }

    /// Answers a request for what the emulator has beside the services.
    private func answer(toOwn request: LoopbackRequest, _ context: EmulatorContext) async -> LoopbackResponse {
        let names = request.path.split(separator: "/").map(String.init)
        switch (request.path, control) {
        case ("/", _): return Dashboard(context, for: request).response
        case ("/emulator/events", _): return events(after: request.lastEventID)
        case _ where !names.starts(with: ["emulator", "control"]): return .notFound(request.header("Accept"))
        case (_, let control?): return control.respond(to: request, at: Array(names.dropFirst(2)), self)
        case (_, nil):
            return EmulatorControl.problem("The control is off. Start the emulator with a control token.", 404)
        }
    }

    /// Answers a request of the network or of an emulated service.
    ///
    /// - Parameter base: The emulator's URL under the name that the request uses.
    func dispatch(_ received: EmulatorRequest, below base: String, in world: EmulatorWorld) async -> LoopbackResponse {
        let notes = RequestNotes()
        return await RequestNotes.$current.withValue(notes) {
            await dispatch(received, EmulatorContext(base: base, router: self, world: world), notes)
        }
    }

    private func dispatch(
        _ received: EmulatorRequest, _ context: EmulatorContext, _ notes: RequestNotes
    ) async -> LoopbackResponse {
        let entry = journal.begin(received)
        let fault = faults.next(for: received)
        fault?.arrive()
        var request = received
        request.tokenFault = fault?.token
        request.requestedError = fault?.serverError
        let response: LoopbackResponse =
            if let instead = fault?.replacement {
                instead
            } else {
                await answer(request, context)
            }
        let delivered = await fault?.deliver(response, by: context.configuration.clock) ?? response
        let title = fault.map { EmulatorConfiguration.Fault($0).title }
        journal.finish(entry, response, status: delivered.status, fault: title, notes.content)
        return delivered
    }

    /// What a service has for a request that no name of the emulator came with.
    var context: EmulatorContext { EmulatorContext(base: base, router: self, world: world) }

    private func answer(_ received: EmulatorRequest, _ context: EmulatorContext) async -> LoopbackResponse {
        var request = received
        // The listener leaves out the body (RFC 9110 section 9.3.2).
        if request.method == "HEAD" { request.method = "GET" }
        let services = context.world.services[request.host]
        for service in services ?? [] {
            if let response = await service.respond(to: request, in: context) { return response }
        }
        if services == nil {
            Mismatch.note("HOST", request.host, context.world.services.keys.sorted(), remedy: .knownHost)
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
        guard accepted?.contains("text/html") ?? false else { return problem(message, title: "Not Found", status: 404) }
        return .message("Not found", message, status: 404)
    }

    /// Problem details (RFC 9457).
    static func problem(_ detail: String, title: String, status: Int) -> Self {
        var response = Self.json(
            ["title": .string(title), "status": .integer(Int64(status)), "detail": .string(detail)], status: status)
        response.headers[0] = ("Content-Type", "application/problem+json")
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
    /// Those that may be of a tunnel, which takes https.
    private let tunnels: Set<String>
    private let allowedOrigins: Set<String>

    /// The dashboard.
    private let home: String

    init(port: UInt16, _ configuration: EmulatorConfiguration) {
        home = "http://127.0.0.1:\(port)/"
        let names = ["127.0.0.1", "localhost", "[::1]"]
        // Browsers leave out the port that the scheme implies.
        tunnels = Set(configuration.allowedHosts.map { $0.lowercased() })
        own = Set(names.map { "\($0):\(port)" } + (port == 80 ? names : [])).union(tunnels)
        allowedOrigins = Set(configuration.allowedOrigins.map { $0.lowercased() })
    }

    /// The URL of the emulator under the name that a request uses, without a trailing slash; `nil` for one that names none.
    ///
    /// A tunnel that takes https says so in `X-Forwarded-Proto`.
    func base(for request: LoopbackRequest) -> String? {
        let isTunnel = request.header("X-Forwarded-Proto")?.lowercased() == "https"
        return request.header("Host").map { host in
            "http\(isTunnel && tunnels.contains(host.lowercased()) ? "s" : "")://\(host.lowercased())"
        }
    }

    /// Whether the emulator serves a production URL at that URL, under one of its names.
    func serve(_ productionURL: String, at url: String) -> Bool {
        own.contains { url == productionURL.served(below: "http://\($0)") }
            || tunnels.contains { url == productionURL.served(below: "https://\($0)") }
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
                "The request is for the host '\(host)', which the emulator does not answer to. Use 127.0.0.1 with its port, or allow "
                    + "the host: --host, or allowedHosts of the configuration.", status: 421, home: home)
        }
        guard !isOpen, let origin = request.header("Origin"), !isOwn(origin) else { return nil }
        return .message(
            "Not from this page",
            "The request was sent by a page of '\(origin)', and only pages of the emulator may send it. Begin at its dashboard, "
                + "or allow the origin: allowedOrigins of the configuration.", status: 403, home: home)
    }

    /// Whether the configuration allows the pages of an origin to read the emulator's own.
    func allows(_ origin: String) -> Bool { allowedOrigins.contains(origin.lowercased()) }

    private func isOwn(_ origin: String) -> Bool {
        let origin = origin.lowercased()
        return allows(origin)
            || ["http://", "https://"].contains {
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
