import AuthStreams
import AuthStreamsTesting
import Testing

@testable import bench

/// The bare calls are those of the library, or the ratio of the two would mean nothing.
@Suite struct ChainCallsTests {
    @Test(arguments: [ProviderID.apple, .google, .kakao, .naver])
    func oursAndTheBareCallsMakeTheSameRequests(provider: ProviderID) async throws {
        try await withEmulator { emulator in
            let contenders = try await ChainContenders(at: emulator.baseURL)
            defer { contenders.end() }
            // The first one fetches the issuer's keys too, and all others have them.
            try await contenders.ours(provider)
            let ours = try await requests(to: emulator) { try await contenders.ours(provider) }
            let bare = try await requests(to: emulator) { try await contenders.bare.signIn(with: provider) }
            let fresh = try await requests(to: emulator) { try await contenders.fresh.signIn(with: provider) }
            #expect(ours == bare)
            #expect(ours == fresh)
            #expect(ours.contains { $0.hasSuffix("identitytoolkit.googleapis.com/v1/accounts:lookup 200 app") })
        }
    }

    @Test(arguments: [ProviderID.apple, .google])
    func thePersonSeesTheSamePages(provider: ProviderID) async throws {
        try await withEmulator { emulator in
            let contenders = try await ChainContenders(at: emulator.baseURL)
            defer { contenders.end() }
            try await contenders.ours(provider)
            try await contenders.bare.signIn(with: provider)
            var ours = await pages(in: contenders.device.browser)
            // Ours begins with a page of the listener's own, which binds the attempt to the browser.
            if provider == .google { #expect(ours.removeFirst().hasSuffix(" 303")) }
            #expect(await pages(in: contenders.bare.person.browser) == ours)
            #expect(ours.last?.hasPrefix(provider == .google ? "GET 127.0.0.1/oauth2callback 200" : "POST") == true)
        }
    }

    /// What arrives while the body runs, in order.
    private func requests(to emulator: Emulator, _ body: () async throws -> Void) async throws -> [String] {
        let before = emulator.journal.entries.count
        try await body()
        return emulator.journal.entries.dropFirst(before).map { entry in
            "\(entry.method) \(entry.host)\(entry.path) \(entry.status ?? 0) \(entry.caller)"
        }
    }

    /// Methods and addresses without ports: that of a listener is another one each time.
    @MainActor
    private func pages(in browser: ScriptedBrowser) async -> [String] {
        await browser.waitUntilSettled()
        return browser.trace.map { page in
            "\(page.method) \(page.address.replacing(#/:\d+/#, with: "")) \(page.status ?? 0)"
        }
    }
}
