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

    /// Where a launch of the app opens pages. They are recorded and not shown.
    @MainActor
    private final class Pages: ApplicationOpener {
        private(set) var opened: [URL] = []
        private var visitBegan = Promise<URL>()
        private let installed: Bool

        init(withApps installed: Bool) { self.installed = installed }

        func canOpen(_ url: URL) -> Bool { installed }

        func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? {
            guard !universalLinksOnly || installed else { return nil }
            opened.append(url)
            visitBegan.resolve(url)
            return .unobservable
        }

        /// The first page that was opened.
        func first() async throws -> URL { try #require(await visitBegan.value()) }
    }

    /// One launch of the app.
    @MainActor
    private struct Launch {
        let pages: Pages
        let auth: AuthService

        init(
            at base: URL, _ store: any SessionStore, backend: Backend = .server,
            clock: AuthClock = .system, withApps installed: Bool = false
        ) {
            pages = Pages(withApps: installed)
            let (callbacks, transport) = (CallbackRouter(), URLSessionTransport())
            let providers = EmulatedProviders(
                at: base, opener: pages, callbacks: callbacks, googleRedirect: .reversedClientID,
                transport: transport, clock: clock)
            let repository: any AuthRepository =
                switch backend {
                case .firebase: FirebaseRepository.emulated(at: base, transport: transport, clock: clock)
                case .server: ServerRepository.emulated(at: base, transport: transport, clock: clock)
                case .issuer: OpenIDRepository(for: providers.openIDCode)
                }
            auth = AuthService(
                repository: repository, providers: backend == .issuer ? [providers.openIDCode] : providers.all,
                store: store, callbacks: callbacks, clock: clock)
        }
    }

    /// The person agrees at a page, which another launch opened.
    private func callback(of page: URL) async throws -> URL {
        let answer = Lock<URL?>(nil)
        let browser = ScriptedBrowser(.approve, transport: URLSessionTransport()) { url in
            answer.withLock { $0 = url }
            return true
        }
        _ = await browser.open(page, universalLinksOnly: false)
        await browser.waitUntilSettled()
        return try #require(answer.withLock { $0 }, "\(browser.visits)")
    }

    /// Signs in, in a launch that is ended at the provider's page.
    ///
    /// - Returns: The answer.
    private func interruptedSignIn(
        with provider: ProviderID, _ launch: Launch
    ) async throws -> (callback: URL, attempt: Task<Void, Never>) {
        let attempt = Task { for await _ in launch.auth.signIn(with: provider, using: .web) {} }
        return (try await callback(of: launch.pages.first()), attempt)
    }

    /// What a process leaves that ends now.
    private func copy(of store: MemorySessionStore) async throws -> MemorySessionStore {
        let copy = MemorySessionStore()
        for key in [SessionStoreKey.session, .pendingAttempt] {
            if let data = try await store.read(key).data { try await copy.write(data, for: key) }
        }
        return copy
    }

    /// The next event of one of those kinds.
    private func event(
        _ kinds: AuthEvent.Kind..., in events: inout AuthEvents.AsyncIterator
    ) async -> AuthEvent? {
        while let event = await events.next() { if kinds.contains(event.kind) { return event } }
        return nil
    }

    private func signedInUser(of auth: AuthService) async -> AuthUser? {
        for await state in auth.states { if let user = state.user { return user } }
        return nil
    }

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
            #expect(try await store.read(.pendingAttempt).data == nil)

            // It is used once.
            #expect(second.auth.handle(callback))
            let began = await event(.callbackIgnored, .signInStarted, in: &events)
            #expect(began?.kind == .signInStarted)
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

                    let callback = try await callback(of: page)
                    let second = Launch(at: emulator.baseURL, FileSessionStore(folder: place))
                    #expect(second.auth.handle(callback))
                    let user = await signedInUser(of: second.auth)
                    #expect(user?.providers.map(\.id).contains(provider) == true)
                }
            }
        }
    #endif

    @Test func linkIsResumedForItsUserAlone() async throws {
        for signsOut in [false, true] {
            try await withEmulator { emulator in
                let store = MemorySessionStore()
                let device = EmulatedDevice(at: emulator.baseURL, backend: .server, store: store)
                let user = try await device.auth.signIn(with: .google).value.user
                let first = Launch(at: emulator.baseURL, store)
                _ = await signedInUser(of: first.auth)
                let attempt = Task { for await _ in first.auth.link(with: .kakao) {} }
                defer { attempt.cancel() }
                let callback = try await callback(of: first.pages.first())

                // The first launch lives on, so it must not see what the second one does.
                let left = try await copy(of: store)
                let second = Launch(at: emulator.baseURL, left)
                _ = await signedInUser(of: second.auth)
                if signsOut { try await second.auth.signOut() }
                var events = second.auth.events.makeAsyncIterator()
                #expect(second.auth.handle(callback))
                let end = await event(.changeSucceeded, .changeFailed, .attemptAbandoned, in: &events)
                if signsOut {
                    #expect(end?.kind == .attemptAbandoned && end?.error == .abandoned && end?.provider == .kakao)
                    #expect(second.auth.state == .signedOut(.user), "A link never signs in.")
                } else {
                    #expect(end?.kind == .changeSucceeded && end?.change == .link)
                    #expect(second.auth.user?.id == user.id)
                    #expect(second.auth.user?.providers.map(\.id).contains(.kakao) == true)
                }
                #expect(try await left.read(.pendingAttempt).data == nil)
            }
        }
    }

    /// Anyone can make a URL of the app's scheme.
    @Test func forgedAnswerLeavesTheAttempt() async throws {
        try await withEmulator { emulator in
            let store = MemorySessionStore()
            let (callback, attempt) = try await interruptedSignIn(
                with: .kakao, Launch(at: emulator.baseURL, store))
            defer { attempt.cancel() }
            let second = Launch(at: emulator.baseURL, store)
            let key = EmulatorConfiguration().kakao.nativeAppKey
            let state = try #require(
                URLComponents(url: callback, resolvingAgainstBaseURL: true)?.queryItems?.first { $0.name == "state" }?
                    .value)
            for query in ["code=x", "code=x&state=y", "code=x&state=", "code=x&state=\(state)&state=\(state)"] {
                var events = second.auth.events.makeAsyncIterator()
                #expect(second.auth.handle(try #require(URL(string: "kakao\(key)://oauth?\(query)"))))
                let outcome = await event(.callbackIgnored, .signInStarted, in: &events)
                #expect(outcome?.kind == .callbackIgnored)
            }
            #expect(!second.auth.handle(URL(literal: "pulseboard://settings")), "The app's own.")
            #expect(second.auth.handle(callback))
            #expect(await signedInUser(of: second.auth) != nil)
        }
    }

    @Test(arguments: [(-601, false), (60, false), (-590, true)])
    func attemptIsResumedForTenMinutes(offset: TimeInterval, isResumed: Bool) async throws {
        try await withEmulator { emulator in
            let store = MemorySessionStore()
            // Begun at that time; one in the future is of a clock that was set back since.
            let clock = AuthClock(ContinuousClock()) { Date(timeIntervalSinceNow: offset) }
            let (callback, attempt) = try await interruptedSignIn(
                with: .naver, Launch(at: emulator.baseURL, store, clock: clock))
            defer { attempt.cancel() }
            let second = Launch(at: emulator.baseURL, store)
            var events = second.auth.events.makeAsyncIterator()
            #expect(second.auth.handle(callback))
            let end = await event(.signInSucceeded, .signInFailed, .attemptAbandoned, in: &events)
            #expect(end?.kind == (isResumed ? .signInSucceeded : .attemptAbandoned))
            #expect(try await store.read(.pendingAttempt).data == nil, "It is used once.")
        }
    }

    /// The answers of KakaoTalk and the Naver app repeat no `state`, so any app can make them up.
    @Test(arguments: [ProviderID.kakao, .naver]) func attemptInAnAppIsNotStored(provider: ProviderID) async throws {
        try await withEmulator { emulator in
            let store = MemorySessionStore()
            let first = Launch(at: emulator.baseURL, store, withApps: true)
            let attempt = Task { for await _ in first.auth.signIn(with: provider, using: .app) {} }
            defer { attempt.cancel() }
            _ = try await first.pages.first()
            #expect(try await store.read(.pendingAttempt).data == nil)
        }
    }

    /// An attempt that ends in its own process leaves nothing.
    @Test func endedAttemptIsForgotten() async throws {
        try await withEmulator { emulator in
            let store = MemorySessionStore()
            let first = Launch(at: emulator.baseURL, store)
            let (_, attempt) = try await interruptedSignIn(with: .google, first)
            #expect(try await store.read(.pendingAttempt).data != nil)
            attempt.cancel()
            await attempt.value
            #expect(try await store.read(.pendingAttempt).data == nil)
        }
    }

    @Test func lockedStoreDelaysTheResumption() async throws {
        try await withEmulator { emulator in
            let store = FaultySessionStore()
            let (callback, attempt) = try await interruptedSignIn(
                with: .apple, Launch(at: emulator.baseURL, store))
            defer { attempt.cancel() }
            store.lock()
            let second = Launch(at: emulator.baseURL, store)
            #expect(second.auth.handle(callback))
            for await state in second.auth.states where state == .restoring(.waitingForUnlock) { break }
            store.unlock()
            #expect(await signedInUser(of: second.auth) != nil)
        }
    }
}
