import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// Prints, dumps, interpolates and reflects a sample of every public type that can hold a secret, and finds none. The module
/// AuthStreamsApple has a suite of its own.
@MainActor
@Suite(.limitedParallelization) struct PrintedSecretsTests {
    @Test func samplesShowNoSecret() async throws {
        let leaks = try await SecretSample.leaks(of: SecretSamples.all)
        #expect(leaks == [])
    }

    /// The search is only worth something if it finds what is not hidden.
    @Test func searchFindsWhatIsNotHidden() {
        struct Careless {
            var inner = ["key": [Data(SecretSample.mark.utf8) as Data?]]
        }
        let holders: [Any] = [
            Careless(), NSError(domain: "d", code: 1, userInfo: ["t": SecretSample.mark]), [(1, SecretSample.mark)],
        ]
        for holder in holders { #expect(everythingPrinted(of: holder).contains(SecretSample.mark)) }
    }

    /// A new public type gets a sample, or is added to the types without secrets.
    @Test(.enabled(if: PublicTypes.symbolGraphs != nil, "The stage 'printed-secrets' of .ci/run makes them."))
    func everyPublicTypeHasASampleOrHoldsNoSecret() throws {
        let types = try PublicTypes(in: try #require(PublicTypes.symbolGraphs))
        let faults = types.faults(of: SecretSamples.all, withoutSecrets: Self.withoutSecrets)
        #expect(faults == [])
    }

    /// Types by module that hold no secret as text or bytes: names, settings, states and public keys; closures; what has a
    /// sample, such as a transport or the owner of the session; and values of a type that the caller chooses.
    private nonisolated static let withoutSecrets = [
        "AuthStreams": """
        APIAccess AppActivity AppActivity.Phase SessionGate SessionGate.Reason SessionGate.State AccessTokenRefused ApplicationVisit AuthCallback AuthClock AuthClock.Instant
        AuthError.Classification AuthError.Code AuthErrorTexts AuthErrorTexts.Sentence AuthErrorTexts.Suggestion
        AuthEvent AuthEvent.Attempt AuthEvent.Details AuthEvent.Failure AuthEvent.Kind AuthEvent.Level AuthEventSink AuthEvents AuthOperation AuthPlatform
        AuthPlatform.Redirect AuthPreview AuthProviderFactory AuthRepositoryFactory AuthRequest.Prompt
        AuthRequest.Purpose AuthState AuthState.Freshness AuthState.Restoring AuthState.SignInStep AuthStates
        AuthPrompt.ID AuthPrompts
        AuthPrompts.Iterator Challenge.Code Challenge.Factor Challenge.Field Challenge.Field.Kind
        Challenge.Kind Challenge.Link Passkey Preparation
        AuthStream.AsyncIterator AuthUser AuthUser.LinkedProvider AuthUsers AuthUsers.Iterator AuthorizationPage.Redirect
        Broadcast Broadcast.Iterator Broadcast.Latest Broadcast.Latest.Iterator Credential.Profile
        Credential.RealUserStatus Credential.Replacement DevelopmentNetwork FileSessionStore FlatMapFirstSequence
        FlatMapIterator FlatMapLatestSequence AuthHTTPRequest.Method HeaderName AuthJSON NeverFailingSequence
        NeverFailingSequence.Iterator PendingDeletion PersonName PresentationContext ProfileChanges ProfileChanges.Change
        ProviderID RecordVersion RefreshPolicy RefreshTokenRule ResultFlatMapSequence
        ResultFlatMapSequence.Iterator ResultMapSequence ResultMapSequence.Iterator RevocationReports ServerContract
        ServerContract.ConflictNames ServerContract.CredentialNames ServerContract.Endpoint ServerContract.Envelope
        ServerContract.AnswerNames ServerContract.AnswerNames.Consents ServerContract.ChallengeNames ServerContract.Offering ServerContract.PasskeyNames ServerContract.RefreshNames ServerContract.SessionNames ServerContract.Step ServerContract.TokenPlace ServerContract.UserNames
        ServerRefusal
        SessionAdoption SessionStoreKey SessionStoreLock SignInMethod SignInMethod.Kind SignInResult
        AuthSignOut SignOutReason SuccessesSequence SuccessesSequence.Iterator TypedValuesSequence
        TypedValuesSequence.Iterator URLSessionTransport ValuesSequence
        ValuesSequence.Iterator WeakWindow
        """,
        "AuthStreamsOAuth": """
        EmailLinkProvider PasskeyProvider PasswordProvider
        ClientAuthentication.AssertionRequest OtherAppWait AppleWebProvider AppleWebProvider.Endpoints AppleWebProvider.Scope
        AuthorizationServerMetadata GoogleProvider.Endpoints GoogleProvider.Redirect
        KakaoProvider KakaoProvider.Configuration KakaoProvider.Endpoints NaverProvider
        NaverProvider.Configuration NaverProvider.Configuration.Mode NaverProvider.Endpoints OAuthFailure.Origin
        OpenIDProvider.Options OpenIDProvider.Redeemer SystemBrowser SystemBrowser.LoopbackAddress SystemBrowserLauncher
        TokenEndpoint
        """,
        "AuthStreamsFirebase": """
        AccountFunctions CallableFunction CallableFunctions.Framing CallableFunctions.Location FirebaseProject.Endpoints
        FirebaseRoute FunctionsRegion SocialLoginFunction.Format SocialLoginFunction.Format.Answer
        """,
        "AuthStreamsTesting": """
        AuthenticatorApp EmulatedFirebase.Mail.Kind EmulatedMessage.Kind FirebaseAccount.SecondFactor
        AppleNotification AppleNotification.Event AuthProviderContract AuthProviderContract.Person
        AuthRepositoryContract AuthRepositoryContract.Challenges AuthRepositoryContract.Changes AuthRepositoryContract.Console
        AuthRepositoryContract.Environment ContractCapability ContractCheck ContractRecorder ContractReport
        ContractReport.Skipped ContractViolations EmulatedApple EmulatedApps.App
        EmulatedKakao EmulatedKakao.Referrer EmulatedNaver EmulatorConfiguration.IssuerNames
        EmulatedApps.UserAction EmulatedDevice.Backend EmulatedFirebase EmulatedIssuer EmulatedProviders
        EmulatedAuthenticator EmulatedAuthenticator.Person EmulatedServer EmulatedSupabase Emulator EmulatorConfiguration.Supabase
        EmulatorConfiguration EmulatorConfiguration.Apple EmulatorConfiguration.Firebase
        EmulatorConfiguration.Google EmulatorConfiguration.Google.Client EmulatorConfiguration.Google.Client.Kind
        EmulatorConfiguration.Issuer EmulatorConfiguration.Issuer.DPoP EmulatorConfiguration.Issuer.PushedRequests EmulatorConfiguration.Kakao EmulatorConfiguration.Naver
        EmulatorConfiguration.Server EmulatorEndpoint EmulatorFault EmulatorFault.Times EmulatorGate
        EmulatorJournal.Caller EmulatorTransport EmulatorUser FaultySessionStore.Call FaultySessionStore.Hold
        FaultySessionStore.Moment FirebaseAccount FirebaseAccount.Identity HangDetection
        IDTokenSigner ManualClock ManualClock.Instant ScriptedAccount ScriptedBrowser.Answer
        ScriptedBrowser.Outcome ScriptedBrowser.Page ScriptedProvider ScriptedRepository.Call ServerAccount
        ServerRefresh ServerRefresh.Answer SessionStoreContract SessionStoreContract.Place
        SessionStoreContract.Place.Locking Timeline TimelineAlphabet TimelineError TimelineFailure TimelineInput
        TimelineInput.Iterator TimelineMismatch TimelineRows TimelineThrowingInput
        TimelineThrowingInput.Iterator
        """,
    ]
}
