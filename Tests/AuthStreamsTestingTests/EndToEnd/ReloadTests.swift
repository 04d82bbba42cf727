#if os(macOS) || os(Linux)
    import AuthStreams
    import AuthStreamsTesting
    import Foundation
    import TestSupport
    import Testing

    /// What changes at either back end is shown on the device, and what is changed there is the back end's.
    @MainActor
    @Suite(.limitedParallelization) struct ReloadTests {
        private func rename(_ id: String, _ name: String, _ emulator: Emulator, _ backend: EmulatedDevice.Backend) {
            switch backend {
            case .firebase: emulator.firebase.rename(id, to: name)
            case .server: emulator.server.rename(id, to: name)
            }
        }

        @Test(arguments: EmulatedDevice.Backend.allCases)
        func everyReaderSeesTheUserOfAReload(backend: EmulatedDevice.Backend) async throws {
            try await withEmulator { emulator in
                let device = EmulatedDevice(at: emulator.baseURL, backend: backend)
                let user = try await device.auth.signIn(with: .kakao).value.user
                rename(user.id, "Another name", emulator, backend)
                let reloaded = try await device.auth.reload().value
                #expect(reloaded.displayName == "Another name")
                #expect(reloaded.providers == user.providers)
                #expect(device.auth.user == reloaded)
                let changed = try await device.auth.updateProfile(
                    displayName: .set("민지"), photoURL: .set(URL(literal: "https://pictures.example/1.jpg"))
                ).value
                #expect(changed.displayName == "민지")
                _ = try await device.auth.accessToken(forceRefresh: true)
                #expect(device.auth.user?.displayName == "민지")
                #expect(try await device.auth.updateProfile(photoURL: .remove).value.photoURL == nil)
                _ = try await device.auth.accessToken(forceRefresh: true)
                #expect(device.auth.user?.photoURL == nil && device.auth.user?.displayName == "민지")
            }
        }

        @Test(arguments: EmulatedDevice.Backend.allCases, [SignOutReason.disabled, .deleted])
        func aUserWhoIsGoneIsSignedOut(backend: EmulatedDevice.Backend, reason: SignOutReason) async throws {
            try await withEmulator { emulator in
                let device = EmulatedDevice(at: emulator.baseURL, backend: backend)
                let user = try await device.auth.signIn(with: .google).value.user
                switch (backend, reason) {
                case (.firebase, .disabled): emulator.firebase.disable(user.id)
                case (.firebase, _): emulator.firebase.delete(user.id)
                case (.server, .disabled): emulator.server.disable(user.id)
                case (.server, _): emulator.server.delete(user.id)
                }
                let code = await device.auth.reload().result.failure?.code
                #expect(code == (reason == .disabled ? .userDisabled : .userNotFound))
                #expect(device.auth.state == .signedOut(reason))
            }
        }
    }
#endif
