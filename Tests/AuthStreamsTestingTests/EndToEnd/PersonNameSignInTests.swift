#if os(macOS) || os(Linux)
    import AuthStreams
    import AuthStreamsTesting
    import TestSupport
    import Testing

    /// A person's name and address from the provider's answer to the app, by way of either back end.
    @MainActor
    @Suite(.limitedParallelization) struct PersonNameSignInTests {
        @Test(arguments: EmulatedDevice.Backend.allCases)
        func theNameFromAppleReachesTheAppInItsOrder(backend: EmulatedDevice.Backend) async throws {
            try await withEmulator { emulator in
                let device = EmulatedDevice(at: emulator.baseURL, backend: backend)
                let first = try await device.auth.signIn(with: .apple).value
                #expect(first.name == PersonName(givenName: "민지", familyName: "김"))
                #expect(first.user.displayName == "김민지" && first.isPrivateEmail == false)
                let second = try await device.auth.signIn(with: .apple).value
                #expect(second.name == nil && second.user.displayName == "김민지" && second.isPrivateEmail == false)
            }
        }

        @Test func theNameOfAnotherScriptAndARelayAddress() async throws {
            try await withEmulator { emulator in
                let device = EmulatedDevice(at: emulator.baseURL)
                device.browser.answers = [.approve(as: emulator.configuration.apple.users[1].id)]
                let signIn = try await device.auth.signIn(with: .apple).value
                #expect(signIn.name == PersonName(givenName: "Alex", familyName: "Morgan"))
                #expect(signIn.user.displayName == "Alex Morgan" && signIn.isPrivateEmail == true)
            }
        }

        @Test func theNameFromGoogleComesWithEachSignIn() async throws {
            try await withEmulator { emulator in
                let device = EmulatedDevice(at: emulator.baseURL)
                for _ in 0..<2 {
                    let signIn = try await device.auth.signIn(with: .google).value
                    #expect(signIn.name?.displayName == "김민지" && signIn.isPrivateEmail == nil)
                }
            }
        }
    }
#endif
