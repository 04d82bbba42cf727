import AuthStreams
import Foundation
import LoopbackHTTP

/// Passes each request to the service of its host; records the journal and the secrets, and applies faults.
struct EmulatorRouter: Sendable {
    let configuration: EmulatorConfiguration
    let base: String
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
        guard let request = EmulatorRequest(request) else {
            guard request.path == "/" else { return .notFound }
            return StartPage(configuration: configuration, base: base, hosts: services.keys.sorted()).response
        }
        // Answers have the date of the emulated servers, which a test may move.
        return await dispatch(request).dated(configuration.clock.date)
    }

    private func dispatch(_ received: EmulatorRequest) async -> LoopbackResponse {
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
        journal.finish(entry, status: delivered.status)
        return delivered
    }

    /// What a service of it has for a request.
    var context: EmulatorContext {
        EmulatorContext(
            configuration: configuration, base: base, grants: grants, signer: signer, hosts: Set(services.keys),
            secrets: secrets, dispatch: dispatch)
    }

    private func answer(_ request: EmulatorRequest) async -> LoopbackResponse {
        let context = context
        for service in services[request.host] ?? [] {
            if let response = await service.respond(to: request, in: context) { return response }
        }
        return .notFound
    }
}

extension LoopbackResponse {
    static let notFound = LoopbackResponse.html(
        MessagePage(title: "Not found", message: "No emulated service has this address.").html, status: 404)
}
