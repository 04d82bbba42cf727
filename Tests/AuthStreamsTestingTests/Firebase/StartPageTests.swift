import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsTesting

@MainActor
@Suite struct StartPageTests {
    @Test func pageListsEveryServiceClientAndPerson() async throws {
        try await EmulatedBackend.run { backend in
            let emulator = backend.emulator
            let response = try await URLSessionTransport.untimed().send(
                AuthHTTPRequest(.get, emulator.baseURL.appending(path: "/")))
            let page = String(decoding: response.body, as: UTF8.self)
            let expected =
                emulator.hosts + emulator.configuration.clientIDs.map(\.id)
                + emulator.configuration.kakao.users.map(\.id)
            for text in expected { #expect(page.contains(text)) }
            #expect(emulator.hosts.contains("identitytoolkit.googleapis.com"))
        }
    }

    @Test(arguments: ["Apple", "Google", "Kakao", "Naver"])
    func linkLeadsThroughConsentToAPageWithTheAnswer(provider: String) async throws {
        try await EmulatedBackend.run { backend in
            let links = TryLink.all(
                for: backend.emulator.configuration, base: backend.emulator.baseURL.absoluteString)
            let link = try #require(links.first { $0.name == provider })
            let browser = ScriptedBrowser(.approve, .deny, transport: URLSessionTransport.untimed())
            for title in ["\(provider) said yes", "\(provider) said no"] {
                await browser.open(try #require(URL(string: link.url)), universalLinksOnly: false)?.waitForReturn()
                #expect(browser.lastPageTitle == title)
                #expect(browser.visits.last?.outcome == .arrived)
            }
        }
    }
}
