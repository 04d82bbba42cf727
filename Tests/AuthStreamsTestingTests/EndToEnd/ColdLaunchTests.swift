import AuthStreams
import AuthStreamsFirebase
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// The system ends the app while the person is at a provider's page. The answer launches it again.
@MainActor
@Suite(.limitedParallelization) struct ColdLaunchTests {
    nonisolated static let providers: [ProviderID] = [.apple, .google, .kakao, .naver]

    /// Who knows the people of the app.
    enum Backend: CaseIterable {
        case firebase, server
        /// An issuer is provider and backend at once.
        case issuer

        var providers: [ProviderID] { self == .issuer ? [ProviderID(rawValue: "keycloak")] : ColdLaunchTests.providers }
    }

    nonisolated static let signIns = Backend.allCases.flatMap { backend in backend.providers.map { ($0, backend) } }

    @Test(arguments: signIns) func signInIsResumed(provider: ProviderID, backend: Backend) async throws {
        try await withEmulator { emulator in
            let store = MemorySessionStore()
            let (callback, attempt) = try await interruptedSignIn(
                with: provider, Launch(at: emulator.baseURL, store, backend: backend))
            defer { attempt.cancel() }

            let second = Launch(at: emulator.baseURL, store, backend: backend)
            var events = second.auth.events.makeAsyncIterator()
            // The URL is the app's launch, so it comes before the store was read.
            #expect(second.auth.handle(callback))
            let user = await signedInUser(of: second.auth)
            #expect(user?.providers.map(\.id).contains(provider) == true)
            #expect(second.pages.opened.isEmpty, "No page is opened.")
            #expect(try await store.note(.attempt) == nil)

            // It is used once.
            #expect(second.auth.handle(callback))
            let began = await event(.callbackIgnored, .signInStarted, in: &events)
            #expect(began?.kind == .signInStarted)
            let ended = await event(.signInSucceeded, in: &events)
            guard case .signedIn(_, let isNewUser)? = ended?.details else {
                Issue.record("It is \(String(describing: ended)).")
                return
            }
            #expect(isNewUser == (backend != .issuer), "An issuer does not say.")
            let ignored = await event(.callbackIgnored, in: &events)
            #expect(ignored != nil)
        }
    }

    #if os(macOS) || os(Linux)
        /// The process is really ended, and its files are all that it leaves.
        @Test(arguments: providers) func killedProcessIsResumed(provider: ProviderID) async throws {
            try await withEmulator { emulator in
                try await withTemporaryFolder { folder in
                    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                    let place = folder.appending(path: "store")
                    let first = try await ObedientProcess(
                        at: emulator.baseURL, store: place, log: folder.appending(path: "log"), doing: "visit",
                        provider.rawValue)
                    let page = try #require(URL(string: try await first.hear()))
                    first.kill()
                    try await first.end()

                    let callback = try await answer(to: page)
                    let second = Launch(at: emulator.baseURL, FileSessionStore(folder: place))
                    #expect(second.auth.handle(callback))
                    let user = await signedInUser(of: second.auth)
                    #expect(user?.providers.map(\.id).contains(provider) == true)
                }
            }
        }
    #endif
}
