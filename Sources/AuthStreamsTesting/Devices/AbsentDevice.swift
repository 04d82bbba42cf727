import AuthStreams
import Foundation

/// Takes the place of a device that a test does not have: nothing opens, and nothing is sent.
@MainActor
struct AbsentDevice: ApplicationOpener, UserAgent, AuthHTTPTransport {
    func canOpen(_ url: URL) -> Bool { false }

    func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? { nil }

    func authorize(_ page: AuthorizationPage) async throws(AuthError) -> AuthorizationAnswer {
        throw AuthError(
            .misconfigured, "An isolated platform shows no page. Use a scripted provider, or an emulated device.")
    }

    nonisolated func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        throw AuthError(.network, "An isolated platform has no network. Give it a transport.")
    }
}
