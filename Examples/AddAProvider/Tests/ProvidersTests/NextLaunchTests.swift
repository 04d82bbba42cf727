import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import Testing

@testable import Providers

/// The system ends the app while the person is at the page. The answer launches the app again, and signs in there.
@MainActor
@Suite struct NextLaunchTests {
    @Test func lineSignsInAtTheNextLaunch() async throws {
        try await expectSignInAtTheNextLaunch(by: LINEProvider.init(userAgent:transport:))
    }

    @Test func gitHubSignsInAtTheNextLaunch() async throws {
        try await expectSignInAtTheNextLaunch(by: GitHubProvider.init(userAgent:transport:))
    }

    @Test func gitHubSignsInByACodeAtTheNextLaunch() async throws {
        try await expectSignInAtTheNextLaunch(by: GitHubCodeProviderTests.makeProvider)
    }

    private func expectSignInAtTheNextLaunch(
        by makeProvider: (any UserAgent, any AuthHTTPTransport) -> some AuthProvider
    ) async throws {
        let (server, store) = (FakeServer(), MemorySessionStore())
        let (pages, page) = AsyncStream<URL>.makeStream()
        let (answers, answer) = AsyncStream<URL>.makeStream()
        func launch() -> AuthService {
            let callbacks = CallbackRouter()
            let userAgent = SystemBrowser(opener: PageRecorder { page.yield($0) }, callbacks: callbacks)
            return AuthService(
                repository: ScriptedRepository(), providers: [makeProvider(userAgent, server)], store: store,
                callbacks: callbacks)
        }

        let first = launch()
        let id = try #require(first.providers.first)
        let attempt = Task { await first.signIn(with: id).result }
        defer { attempt.cancel() }
        let browser = ScriptedBrowser(.approve, transport: server) { url in
            answer.yield(url)
            return true
        }
        let opened = try #require(await pages.first { @Sendable _ in true })
        _ = await browser.open(opened, universalLinksOnly: false)
        let url = try #require(await answers.first { @Sendable _ in true })

        let second = launch()
        var events = second.events.makeAsyncIterator()
        #expect(second.handle(url))
        let ends: Set<AuthEvent.Kind> = [.signInSucceeded, .signInFailed, .attemptAbandoned, .callbackIgnored]
        var end: AuthEvent.Kind?
        while let event = await events.next() {
            end = event.kind
            if ends.contains(event.kind) { break }
        }
        #expect(end == .signInSucceeded)
    }
}

/// Records the pages that a launch opens, and shows none.
@MainActor
private struct PageRecorder: ApplicationOpener {
    let record: @Sendable (URL) -> Void

    var hidesURLs: Bool { true }
    func canOpen(_ url: URL) -> Bool { true }

    func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? {
        record(url)
        return .unobservable
    }
}
