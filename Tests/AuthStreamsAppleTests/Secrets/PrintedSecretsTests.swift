import TestSupport
import Testing

/// Prints, dumps, interpolates and reflects a sample of every public type of the module that can hold a secret, and finds none.
@Suite(.appleDevice) @MainActor struct PrintedSecretsTests {
    @Test func samplesShowNoSecret() async throws {
        let leaks = try await SecretSample.leaks(of: SecretSamples.all)
        #expect(leaks == [])
    }

    /// A new public type gets a sample, or is added to the types without secrets.
    @Test(.enabled(if: PublicTypes.symbolGraphs != nil, "The stage 'printed-secrets' of .ci/run makes them."))
    func everyPublicTypeHasASampleOrHoldsNoSecret() throws {
        let types = try PublicTypes(in: try #require(PublicTypes.symbolGraphs))
        let faults = types.faults(of: SecretSamples.all, withoutSecrets: Self.withoutSecrets)
        #expect(faults == [])
    }

    /// Types that hold no secret as text or bytes: names, settings, states and texts; closures; and what has a sample, such as
    /// an error.
    private nonisolated static let withoutSecrets = [
        "AuthStreamsApple": """
        AuthViewModel.Errors AuthIntent AuthObservation AuthProgress DeviceOwnerProof ExtensionApplicationOpener
        KeychainSessionStore.Reinstallation RootScreen SignInButtonAction SignInButtonModel SignInButtonStyle SignInButtonStyle.Color
        SignInButtonStyle.Colors SignInButtonStyle.Spacing SignInButtonTexts SignInButtonWording AuthMessage
        AuthPromptContent.Choice AuthPromptContent.Field AuthPromptContent.Field.Input AuthPromptTexts
        WebAuthenticationAgent.BrowserSession
        """
    ]
}
