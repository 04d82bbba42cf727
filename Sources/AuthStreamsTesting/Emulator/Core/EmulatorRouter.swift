import AuthStreams
import Foundation
import LoopbackHTTP

/// Passes each request to the service of its host; records the journal and the secrets, and applies faults.
struct EmulatorRouter: Sendable {
    let configuration: EmulatorConfiguration
    /// The emulator's URL under the name that the request uses, without a trailing slash.
    var base: String
    let authorities: EmulatorAuthorities
    let journal: JournalStore
    let faults: FaultPlan
    let secrets: SecretStore
    let grants: GrantStore
    let signer: TokenSigner
    /// The services by host. Some hosts, such as `www.googleapis.com`, are shared.
    let services: [String: [any EmulatorService]]

    /// Answers a request from the network.
    func respond(to request: LoopbackRequest) async -> LoopbackResponse {
        if let refusal = authorities.refusal(of: request) { return refusal }
        var named = self
        if let base = authorities.base(for: request) { named.base = base }
        guard let emulated = EmulatorRequest(request) else {
            guard request.path == "/" else { return .notFound(request.header("Accept")) }
            return StartPage(configuration: configuration, base: named.base, hosts: services.keys.sorted()).response
        }
        if let answer = OtherOrigins.preflightAnswer(to: emulated) { return answer }
        // Answers have the date of the emulated servers, which a test may move.
        let response = await named.dispatch(emulated).dated(configuration.clock.date)
        return OtherOrigins.allow(response, to: emulated)
    }

    private func dispatch(_ received: EmulatorRequest) async -> LoopbackResponse {
        let notes = RequestNotes()
        return await RequestNotes.$current.withValue(notes) { await dispatch(received, notes) }
    }

    private func dispatch(_ received: EmulatorRequest, _ notes: RequestNotes) async -> LoopbackResponse {
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
                await answer(request)
            }
        secrets.collect(from: response, host: request.host)
        let delivered = await fault?.deliver(response, now: configuration.clock.date) ?? response
        journal.finish(entry, status: delivered.status, note: notes.text)
        return delivered
    }

    /// What a service of it has for a request.
    var context: EmulatorContext {
        EmulatorContext(
            configuration: configuration, base: base, grants: grants, signer: signer, hosts: Set(services.keys),
            authorities: authorities, secrets: secrets, dispatch: dispatch)
    }

    private func answer(_ received: EmulatorRequest) async -> LoopbackResponse {
        let context = context
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
        return .html(MessagePage(title: "Not found", message: message).html, status: 404)
    }

    private static func problem(_ detail: String) -> Self {
        var response = Self.json(["title": "Not Found", "status": 404, "detail": .string(detail)], status: 404)
        response.headers = [("Content-Type", "application/problem+json")]
        return response
    }
}
