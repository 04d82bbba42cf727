import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@MainActor
@Suite struct ScriptedBrowserOnEmulatorTests {
    private static let naver: [(name: String, value: String)] = [
        ("client_id", "emulatorNaverClient"), ("redirect_uri", "authstreamsnaver://authorize"),
        ("response_type", "code"), ("state", "s+/="),
    ]

    @Test func approvedPageLeadsToACodeAndTheState() async throws {
        try await EmulatedBackend.run { backend in
            let callback = try await backend.callback(of: "https://nid.naver.com/oauth2.0/authorize", Self.naver)
            #expect(callback["state"] == "s+/=")
            #expect(callback["code"]?.isEmpty == false)
        }
    }

    @Test func refusedPageLeadsToAnError() async throws {
        try await EmulatedBackend.run { backend in
            let callback = try await backend.callback(
                of: "https://nid.naver.com/oauth2.0/authorize", Self.naver, .deny)
            #expect(callback["error"] == "access_denied")
            #expect(callback["state"] == "s+/=")
        }
    }

    @Test func applesAnswerIsPostedToTheRelayAndHandedToTheApp() async throws {
        try await EmulatedBackend.run { backend in
            let apple = backend.emulator.configuration.apple
            let callback = try await backend.callback(
                of: "https://appleid.apple.com/auth/authorize",
                [
                    ("client_id", apple.servicesID),
                    ("redirect_uri", backend.emulator.url(for: apple.redirectURIs[0]).absoluteString),
                    ("response_type", "code id_token"), ("response_mode", "form_post"), ("scope", "name email"),
                    ("state", "s"),
                ], .approve(as: apple.users[1].id))
            #expect(callback["state"] == "s")
            #expect(callback["user"]?.contains("Alex") == true)
            let claims = JSONWebToken(Secret(callback["id_token"] ?? ""))?.claims
            #expect(claims?["sub"]?.string == apple.users[1].id)
        }
    }

    @Test func errorPageIsRecordedByItsTitle() async throws {
        try await EmulatedBackend.run { backend in
            let browser = ScriptedBrowser(transport: URLSessionTransport.untimed())
            let url = backend.emulator.url(for: "https://kauth.kakao.com/oauth/authorize?client_id=unknown")
            await browser.open(url, universalLinksOnly: false)?.waitForReturn()
            #expect(browser.lastPageTitle?.isEmpty == false)
            guard case .failed? = browser.visits.first?.outcome else {
                Issue.record("The visit ended with \(String(describing: browser.visits.first?.outcome)).")
                return
            }
        }
    }
}
