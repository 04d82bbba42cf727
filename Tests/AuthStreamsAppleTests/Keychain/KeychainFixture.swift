import AppleFoundation
import AuthStreams
import Foundation
import Security

@testable import AuthStreamsApple

/// Stores over the simulated device's keychain, as processes of one app open them.
struct KeychainFixture: Sendable {
    /// The app's container, which is deleted with the app.
    let container = FileManager.default.temporaryDirectory.appending(path: "AuthStreams-\(UUID().uuidString)")

    /// Opens a store without any state of the others.
    func store(
        service: String = "app", accessGroup: String? = nil, formerAccessGroup: String? = nil,
        onReinstallation reinstallation: KeychainSessionStore.Reinstallation = .signOut, isExtension: Bool = false,
        clock: AuthClock = .system
    ) -> KeychainSessionStore {
        let place = KeychainPlace(service: service, accessGroup: accessGroup)
        let marker = InstallationMarker(read: Self.read) { [container] in [container.appending(path: "installed")] }
        return KeychainSessionStore(
            place,
            Installation(
                reinstallation, marker: marker, formerAccessGroup: formerAccessGroup, isExtension: isExtension),
            clock: clock)
    }

    /// Reads a file as the system protects it, which Linux does not.
    static let read: @Sendable (URL) throws -> Void = { file in
        if AppleDevice.lockState == .beforeFirstUnlock { throw CocoaError(.fileReadNoPermission) }
        _ = try Data(contentsOf: file)
    }

    /// Deletes the app, and installs it anew.
    func reinstall() throws { try FileManager.default.removeItem(at: container) }

    func removeFiles() { try? FileManager.default.removeItem(at: container) }
}

func withKeychain(_ body: (KeychainFixture) async throws -> Void) async throws {
    let fixture = KeychainFixture()
    defer { fixture.removeFiles() }
    try await body(fixture)
}

extension KeychainItem {
    /// Replaces the item as another process would, with or without respect for the version.
    func overwrite(tag: Data?, data: Data? = nil) {
        var query = place.query
        query[kSecAttrAccount] = account
        var changes: [String: Any] = [:]
        changes[kSecAttrGeneric] = tag
        changes[kSecValueData] = data
        _ = SecItemUpdate(query, changes)
    }
}
