import AuthStreams
import AuthStreamsFirebase
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// The article's app: it was built on Firebase's SDK, and its users stay signed in after the update.
@Suite struct LeavingTheSDKTests {
    /// Runs a test on a device where a user is signed in by the SDK.
    private func run(_ body: (EmulatedBackend, FirebaseRepository) async throws -> Void) async throws {
        try await EmulatedBackend.run { backend in
            let credential = Credential(
                provider: .kakao, idToken: Secret(backend.kakaoToken(["nonce": "n"])), rawNonce: Secret("n"))
            try await FirebaseStandIn.$installed.withValue(FirebaseStandIn(emulator: backend.emulator)) {
                _ = try await FirebaseSDKRepository().signIn(with: credential)
                try await body(
                    backend,
                    FirebaseRepository.emulated(
                        at: backend.emulator.baseURL, clock: backend.emulator.configuration.clock))
            }
        }
    }

    /// Waits until the SDK shows no user.
    private func theSDKLetsGo() async throws {
        try await wait(for: "the SDK to show no user") { Auth.auth().currentUser == nil }
    }

    private func isVerified(_ state: AuthState) -> Bool {
        if case .signedIn(_, .verified) = state { true } else { false }
    }

    @Test func theUpdateSignsNobodyOutAndTheSDKIsNotNeededAnyMore() async throws {
        try await run { _, repository in
            let store = MemorySessionStore()
            do {
                let auth = updatedService(repository, store)
                let seen = await auth.states.prefix(through: isVerified)
                #expect(seen.last?.user?.id == "kakao:1001")
                #expect(!seen.contains { $0.isSignedOut })
                #expect(auth.session?.provider == .kakao)
                try await theSDKLetsGo()
            }
            let auth = updatedService(repository, store)
            let seen = await auth.states.prefix { $0.user != nil || $0.isSignedOut }
            #expect(seen.last?.user?.id == "kakao:1001")
        }
    }

    @Test func inFlightModeTheUserIsSignedInFromTheFirstStateOn() async throws {
        try await run { backend, repository in
            backend.emulator.inject(.status(503), at: .secureToken, .always)
            let store = MemorySessionStore()
            do {
                let auth = updatedService(repository, store)
                let seen = await auth.states.prefix { if case .signedIn(_, .offline) = $0 { true } else { false } }
                #expect(!seen.contains { $0.isSignedOut })
                #expect(seen.last?.user?.providers == [AuthUser.LinkedProvider(id: .kakao, userID: "1001")])
                try await theSDKLetsGo()
            }
            // The next launch is still in flight mode, and the SDK's copy is gone.
            do {
                let auth = updatedService(repository, store)
                let seen = await auth.states.prefix { if case .signedIn(_, .offline) = $0 { true } else { false } }
                #expect(!seen.contains { $0.isSignedOut })
            }
            backend.emulator.clearFaults()
            let auth = updatedService(repository, store)
            let seen = await auth.states.prefix(through: isVerified)
            #expect(seen.last?.user?.id == "kakao:1001")
            #expect(!seen.contains { $0.isSignedOut })
        }
    }

    @Test func beforeTheFirstUnlockNobodyIsTakenForNobody() async throws {
        let isUnlocked = Lock(false)
        let isAvailable: @Sendable () -> Bool = { isUnlocked.withLock { $0 } }
        try await ProtectedData.$isAvailable.withValue(isAvailable) {
            try await run { _, repository in
                let store = FaultySessionStore()
                store.lock()
                let auth = updatedService(repository, store)
                _ = await auth.states.prefix { $0 == .restoring(.waitingForUnlock) }
                isUnlocked.withLock { $0 = true }
                store.unlock()
                let seen = await auth.states.prefix(through: isVerified)
                #expect(!seen.contains { $0.isSignedOut })
            }
        }
    }

    @Test func aSignOutIsNotUndoneByTheCopyOfTheSDK() async throws {
        try await run { _, repository in
            let store = MemorySessionStore()
            do {
                let auth = updatedService(repository, store)
                _ = await auth.states.prefix(through: isVerified)
                try await auth.signOut()
            }
            let auth = updatedService(repository, store)
            let seen = await auth.states.prefix(through: \.isSignedOut)
            #expect(seen.last == .signedOut(nil))
        }
    }

    @Test func theArticleShowsWhatRuns() throws {
        let regions = try CompiledRegions(of: "LeavingTheSDK", in: ["Tests/AuthStreamsTestingTests/Firebase/SDK"])
        let blocks = try MarkdownFile("Sources/AuthStreamsFirebase/AuthStreamsFirebase.docc/LeavingTheSDK.md").blocks
            .filter { $0.language == "swift" }
        #expect(blocks.count == regions.texts.count)
        for block in blocks {
            let name = try #require(block.mark?.name, "line \(block.line)")
            #expect(block.text == regions.texts[name], "region \(name), line \(block.line)")
        }
    }
}
