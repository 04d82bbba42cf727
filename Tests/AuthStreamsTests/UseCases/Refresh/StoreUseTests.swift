import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// How often the store is used, which takes milliseconds each time and more in the keychain.
@Suite struct StoreUseTests {
    private func uses(of store: FaultySessionStore, _ action: () async throws -> Void) async throws -> [String] {
        let before = store.operations.count
        try await action()
        return store.operations.dropFirst(before).map { "\($0.call) \($0.key.rawValue)" }
    }

    @Test func signInReadsTwiceAndWritesOnce() async throws {
        let scene = try await RefreshScene()
        let uses = try await uses(of: scene.store) { try await scene.signIn("ada") }
        #expect(uses == ["read notes", "read session", "write session"])
    }

    /// The first write is the mark.
    @Test func refreshReadsTwiceAndWritesOnceBeyondTheMark() async throws {
        let scene = try await RefreshScene()
        let uses = try await uses(of: scene.store) {
            _ = try await scene.refreshing.accessToken(forceRefresh: true)
        }
        #expect(uses == ["read session", "write session", "read session", "write session"])
    }

    /// The record of a new method is written over the one that the sign-in has read.
    @Test func firstSignInWritesItsMethodWithoutAnotherReading() async throws {
        let scene = try await RefreshScene(signedIn: false)
        let uses = try await uses(of: scene.store) { try await scene.signIn("ada") }
        #expect(uses == ["read notes", "read session", "write session", "write notes"])
    }
}
