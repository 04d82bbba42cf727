import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// Prints, dumps, interpolates and reflects a sample of every public type that can hold a secret, and finds none.
@MainActor
@Suite(.limitedParallelization) struct PrintedSecretsTests {
    @Test func samplesShowNoSecret() async throws {
        for sample in SecretSamples.all {
            let printed = try await sample.printed()
            #expect(!printed.isEmpty && !printed.contains(SecretSample.mark), "\(sample.type)")
        }
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

    private nonisolated static let symbolGraphs = ProcessInfo.processInfo.environment["AUTHSTREAMS_SYMBOL_GRAPHS"]

    /// A new public type gets a sample, or is added to the types without secrets.
    @Test(.enabled(if: symbolGraphs != nil, "The stage 'printed-secrets' of .ci/run makes the symbol graphs."))
    func everyPublicTypeHasASampleOrHoldsNoSecret() throws {
        let types = try Self.publicTypes(in: URL(filePath: try #require(Self.symbolGraphs)))
        for module in Self.withoutSecrets.keys {
            #expect(types.contains { $0.hasPrefix("\(module).") }, "There is no symbol graph of \(module).")
        }
        let samples = Set(SecretSamples.all.map { Self.name(of: $0.type) })
        let others = Set(
            Self.withoutSecrets.flatMap { module, names in
                names.split(whereSeparator: \.isWhitespace).map { "\(module).\($0)" }
            })
        #expect(types.subtracting(samples).subtracting(others).sorted() == [], "These types have no sample.")
        #expect(others.subtracting(types).sorted() == [], "These types are not public, or are gone.")
        #expect(others.intersection(samples).sorted() == [], "These types have a sample.")
    }

    /// The public structs, classes, actors and enums of the symbol graphs in a folder, such as `AuthStreams.AuthRequest`.
    private static func publicTypes(in folder: URL) throws -> Set<String> {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let types = try files.filter { $0.lastPathComponent.hasSuffix(".symbols.json") }.flatMap { file in
            // The graph `A@B` has what the module A adds to types of B.
            let modules = file.lastPathComponent.dropLast(".symbols.json".count).split(separator: "@")
            let graph = try #require(JSONValue(json: try Data(contentsOf: file)))
            return (graph["symbols"]?.array ?? []).compactMap { symbol -> String? in
                let kinds = ["swift.struct", "swift.class", "swift.actor", "swift.enum"]
                guard let kind = symbol["kind"]?["identifier"]?.string, kinds.contains(kind) else { return nil }
                let path = (symbol["pathComponents"]?.array ?? []).compactMap(\.string)
                return "\(modules.last ?? "").\(path.joined(separator: "."))"
            }
        }
        return Set(types)
    }

    /// The name of a type with its module, without generic arguments.
    private static func name(of type: Any.Type) -> String {
        var (name, depth) = ("", 0)
        for character in String(reflecting: type) {
            if character == "<" { depth += 1 }
            if depth == 0 { name.append(character) }
            if character == ">" { depth -= 1 }
        }
        return name
    }

    /// Types by module that hold no secret as text or bytes: names, settings, states and public keys; closures; what has a
    /// sample, such as a transport or the owner of the session; and values of a type that the caller chooses.
    private nonisolated static let withoutSecrets = [
        "AuthStreams": """
        APIAccess AccessTokenRefused AdoptSession ApplicationVisit AuthCallback AuthClock AuthClock.Instant
        AuthError.Classification AuthError.Code AuthErrorTexts AuthErrorTexts.Sentence AuthErrorTexts.Suggestion
        AuthEvent AuthEvent.Change AuthEvent.Kind AuthEvent.Level AuthEventSink AuthEvents AuthPlatform
        AuthPlatform.PageReturn AuthPreview AuthProviderFactory AuthRepositoryFactory AuthRequest.Prompt
        AuthRequest.Purpose AuthState AuthState.Freshness AuthState.Restoring AuthState.SignInStep AuthStates
        AuthStream.AsyncIterator AuthUser AuthUser.LinkedProvider AuthUsers AuthUsers.Iterator AuthorizationPage.Return
        Broadcast Broadcast.Iterator Broadcast.Latest Broadcast.Latest.Iterator Credential.Profile
        Credential.RealUserStatus Credential.Replacement DeleteAccount FileSessionStore FlatMapFirstSequence
        FlatMapIterator FlatMapLatestSequence HTTPRequest.Method HeaderName JSONValue LinkProvider NeverFailingSequence
        NeverFailingSequence.Iterator PendingDeletion PresentationContext ProfileChanges ProfileChanges.Change
        ProviderID Reauthenticate RecordVersion RefreshPolicy RefreshTokenRule ReloadUser ResultFlatMapSequence
        ResultFlatMapSequence.Iterator ResultMapSequence ResultMapSequence.Iterator RevocationReports ServerContract
        ServerContract.ConflictNames ServerContract.CredentialNames ServerContract.Endpoint ServerContract.Envelope
        ServerContract.RefreshNames ServerContract.SessionNames ServerContract.TokenPlace ServerContract.UserNames
        SessionMigration SessionStoreKey SessionStoreLock SignInAnonymously SignInMethod SignInMethod.Kind SignInResult
        SignOut SignOutReason SuccessesSequence SuccessesSequence.Iterator TypedValuesSequence
        TypedValuesSequence.Iterator URLSessionTransport UnlinkProvider UpdateProfile ValuesSequence
        ValuesSequence.Iterator WeakWindow
        """,
        "AuthStreamsOAuth": """
        AppToApp AppToApp.Redemption AppleWebProvider AppleWebProvider.Endpoints AppleWebProvider.Scope
        AuthorizationServerMetadata GoogleProvider.Endpoints GoogleProvider.Redirect IDTokenContext.Channel IssuerKeys
        JWSAlgorithm KakaoProvider KakaoProvider.Configuration KakaoProvider.Endpoints NaverProvider
        NaverProvider.Configuration NaverProvider.Configuration.Mode NaverProvider.Endpoints OAuthFailure.Origin
        OpenIDProvider.Options OpenIDProvider.Redeemer SystemBrowser SystemBrowser.LoopbackAddress SystemBrowserLauncher
        TokenEndpoint
        """,
        "AuthStreamsFirebase": """
        AccountFunctions CallableFunction CallableFunctions.Framing CallableFunctions.Location FirebaseProject.Endpoints
        FirebaseRoute FunctionsRegion SocialLoginFunction.Format SocialLoginFunction.Format.Answer
        """,
        "AuthStreamsApple": """
        AuthErrors AuthIntent AuthObservation AuthProgress ExtensionApplicationOpener RootCoordinator RootScreen
        SignInButtonModel SignInButtonStyle SignInButtonStyle.Color SignInButtonStyle.Colors SignInButtonStyle.Spacing
        SignInButtonTexts SignInButtonWording SignInMessage
        """,
        "AuthStreamsTesting": """
        AppleNotification AppleNotification.Event AuthProviderContract AuthProviderContract.Person
        AuthRepositoryContract AuthRepositoryContract.Changes AuthRepositoryContract.Console
        AuthRepositoryContract.Environment ContractCapability ContractCheck ContractRecorder ContractReport
        ContractReport.Skipped ContractViolation ContractViolations EmulatedApple EmulatedApps.App
        EmulatedApps.UserAction EmulatedDevice.Backend EmulatedFirebase EmulatedIssuer EmulatedKakao EmulatedProviders
        EmulatedServer Emulator EmulatorConfiguration EmulatorConfiguration.Apple EmulatorConfiguration.Firebase
        EmulatorConfiguration.Google EmulatorConfiguration.Google.Client EmulatorConfiguration.Google.Client.Kind
        EmulatorConfiguration.Issuer EmulatorConfiguration.Kakao EmulatorConfiguration.Naver
        EmulatorConfiguration.Server EmulatorEndpoint EmulatorFault EmulatorFault.Times EmulatorGate
        EmulatorJournal.Caller EmulatorTransport EmulatorUser FaultySessionStore.Call FaultySessionStore.Hold
        FaultySessionStore.Moment FaultySessionStore.Operation FirebaseAccount FirebaseAccount.Identity HangDetection
        IDTokenSigner ManualClock ManualClock.Instant ManualExecutor ScriptedAccount ScriptedBrowser.Answer
        ScriptedBrowser.Outcome ScriptedBrowser.Page ScriptedProvider ScriptedRepository.Call ServerAccount
        ServerRefresh ServerRefresh.Answer SessionStoreContract SessionStoreContract.Place
        SessionStoreContract.Place.Locking Timeline TimelineAlphabet TimelineError TimelineFailure TimelineInput
        TimelineInput.Iterator TimelineMismatch TimelineReading TimelineRows TimelineThrowingInput
        TimelineThrowingInput.Iterator
        """,
    ]
}
