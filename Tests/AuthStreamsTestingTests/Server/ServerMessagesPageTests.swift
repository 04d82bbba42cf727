import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// The page with the mails and text messages of the app's own server.
@Suite(.limitedParallelization) struct ServerMessagesPageTests {
    @Test func thePageListsCodesAndLinks() async throws {
        try await EmulatedBackend.run { backend in
            let app = ServerApp(backend)
            let asked = await #expect(throws: AuthError.self) {
                try await app.repository.signIn(with: .code(to: "minji@example.com"))
            }
            #expect(asked?.code == .verificationRequired)
            let url = URL(literal: "https://pulseboard.example/open")
            _ = try await app.repository.prepare(.emailLink(to: "a&b@example.com", continueURL: url), in: nil)
            let path = "api.pulseboard.example/emulator/messages"
            let page = try await get(backend.emulator.url(for: "https://\(path)"), backend)
            let messages = backend.emulator.messages
            let (code, link) = (try #require(messages.first?.code), try #require(messages.last?.link))
            #expect(page.contains(code.reveal()) && page.contains("minji@example.com"))
            #expect(page.contains(link.absoluteString.replacing("&", with: "&amp;")))
            #expect(page.contains("a&amp;b@example.com"))
            let start = try await get(backend.emulator.baseURL, backend)
            #expect(start.contains("/\(path)"))
        }
    }

    private func get(_ url: URL, _ backend: EmulatedBackend) async throws -> String {
        String(decoding: try await backend.transport.send(AuthHTTPRequest(.get, url)).body, as: UTF8.self)
    }
}
