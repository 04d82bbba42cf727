import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsTesting

/// The article about Apple's notifications shows what the emulator sends, and what its server and its function answer.
@MainActor
@Suite struct AppleNotificationsArticleTests {
    private let article: MarkdownFile

    init() throws {
        article = try MarkdownFile("Sources/AuthStreams/AuthStreams.docc/AppleNotifications.md")
    }

    @Test func everyJSONBlockIsWhatIsSpoken() async throws {
        let spoken = try await conversation()
        let examples = article.blocks.filter { $0.language == "json" }
        #expect(Set(examples.compactMap { $0.mark?.name }) == Set(spoken.keys))
        for example in examples {
            let shown = try JSONDecoder().decode(AuthJSON.self, from: Data(example.text.utf8))
            let said = try #require(spoken[example.mark?.name ?? ""])
            #expect(shown.shape == said.shape, "line \(example.line)")
        }
        let claims = try #require(spoken["claims of a notification"])
        let shown = try #require(examples.first { $0.mark?.name == "claims of a notification" })
        for member in try #require(claims["events"]?.string.flatMap { AuthJSON(json: Data($0.utf8)) }?.object) {
            #expect(shown.text.contains(#"\"\#(member.key)\":"#))
        }
    }

    @Test func tableHasEveryEvent() throws {
        let text = try packageFile("Sources/AuthStreams/AuthStreams.docc/AppleNotifications.md")
        let events: [AppleNotification.Event] = [
            .consentRevoked, .accountDeleted, .accountDelete, .emailDisabled, .emailEnabled,
        ]
        for event in events { #expect(text.contains("`\(event.rawValue)`")) }
    }

    private func conversation() async throws -> [String: AuthJSON] {
        try await withEmulator { emulator in
            let person = emulator.configuration.apple.users[0].id
            let body = AppleNotification(.consentRevoked, of: person, at: Date())
                .body(fault: nil, in: emulator.router.context)
            let firebase = EmulatedDevice(at: emulator.baseURL, backend: .firebase)
            let user = try await firebase.auth.signIn(with: .apple).value.user
            let transport = RefusalTransport()
            let server = EmulatedDevice(at: emulator.baseURL, backend: .server, transport: transport)
            _ = try await server.auth.signIn(with: .apple).value
            await emulator.apple.revokeConsent(of: person)
            _ = try? await server.auth.accessToken(forceRefresh: true)
            return [
                "a notification": body,
                "claims of a notification": try #require(
                    body["payload"]?.string.flatMap { JSONWebToken(Secret($0))?.claims }),
                "revoked at the provider": try #require(await transport.refusal),
                "the claim": .object(try #require(emulator.firebase[user.id]?.claims)),
            ]
        }
    }
}

/// Passes everything on and writes the last refusal down.
private actor RefusalTransport: AuthHTTPTransport {
    private let network = URLSessionTransport.untimed()
    private(set) var refusal: AuthJSON?

    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        let response = try await network.send(request)
        if response.status >= 400 { refusal = AuthJSON(json: response.body) }
        return response
    }
}
