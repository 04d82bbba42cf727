import AuthStreamsSupabase
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams
@testable import AuthStreamsFirebase
@testable import AuthStreamsOAuth

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@MainActor
enum SecretSamples {
    private nonisolated static let mark = SecretSample.mark
    private nonisolated static let secret = SecretSample.secret
    private nonisolated static let user = SecretSample.user
    private nonisolated static let session = SecretSample.session
    private nonisolated static let code = SecretSample.code
    private nonisolated static let credential = SecretSample.credential
    private nonisolated static let plain = URL(filePath: "/plain")
    private nonisolated static let transport = EmptyTransport()
    private nonisolated static let callbacks = CallbackRouter()

    private nonisolated static func url() throws -> URL {
        try #require(URL(string: "https://me:\(mark)@id.example/token?code=\(mark)#id_token=\(mark)"))
    }

    private nonisolated static func attempt() throws -> PendingAttempt {
        PendingAttempt(
            state: secret, callbackURL: try url(), redirectURI: plain, issuer: nil, isIssuerRequired: false,
            verifier: secret, nonce: secret, rawNonce: secret, maximumAge: nil, acceptedACRs: [], scopes: [],
            isBound: true)
    }

    private nonisolated static func request() throws -> AuthRequest {
        var request = AuthRequest(idTokenHint: secret)
        request.resumed = ResumedAttempt(attempt: try attempt(), callback: try url(), elapsed: .zero)
        return request
    }

    private nonisolated static let repository = ScriptedRepository(establish: { _ in session })

    /// The owner of the session of a person who has signed in, and who links another identity.
    private static func manager() async throws -> SessionManager {
        let manager = SessionManager(store: MemorySessionStore())
        _ = try await AuthSignIn(repository: repository, manager: manager)(credential).value
        _ = await PendingAttempts(manager: manager).keep(
            try attempt(), for: .init(provider: .google, purpose: .link, user: user.id))
        return manager
    }

    private static func refreshing(_ manager: SessionManager) -> RefreshSession {
        RefreshSession(repository: repository, manager: manager)
    }

    private nonisolated static let project = FirebaseProject(
        id: "p", apiKey: "k", appCheckToken: { secret }, headers: ["x-attestation": mark])
    private nonisolated static let supabase = SupabaseProject(
        url: plain, key: "k", headers: ["x-attestation": mark])
    private nonisolated static let functions = CallableFunctions(project: project, transport: transport)
    private nonisolated static let metadata = AuthorizationServerMetadata(
        authorizationEndpoint: plain, tokenEndpoint: plain)
    private nonisolated static let client = OAuthClient(
        .naver, metadata: metadata, clientID: "c", authentication: .post(secret), transport: transport)
    private nonisolated static let members: [String: AuthJSON] = [
        "access_token": .string(mark), "refresh_token": .string(mark), "id_token": .string(mark),
        "token_type": "Bearer", "error_description": .string(mark),
    ]

    private nonisolated static func rules() -> IDTokenRules {
        var rules = IDTokenRules(issuers: ["i"], clientID: "c")
        rules.sharedSecret = secret
        return rules
    }

    /// KakaoTalk's universal link has the challenge and the nonce in its path.
    private nonisolated static func launch() throws -> OtherAppWait.Launch {
        OtherAppWait.Launch(
            try #require(URL(string: "https://talk.example/scheme/authorize%3Fnonce%3D\(mark)?nonce=\(mark)")))
    }

    /// What is left of a sign-in by every double.
    private static func device(_ emulator: Emulator) async throws -> EmulatedDevice {
        let device = EmulatedDevice(at: emulator.baseURL)
        for provider in [ProviderID.kakao, .naver, .google] { _ = try await device.auth.signIn(with: provider).value }
        return device
    }

    private static func emulated<Value>(
        _ type: Value.Type, _ part: @escaping @MainActor (Emulator, EmulatedDevice) throws -> Value
    ) -> SecretSample {
        SecretSample(type: type) {
            try await withEmulator { emulator in
                let device = try await device(emulator)
                let value = try part(emulator, device)
                return SecretSample.text(of: value, with: emulator.issuedSecrets.map(\.value))
            }
        }
    }

    static let all: [SecretSample] = model + http + errors + flows + oauth + firebase + testing

    private static let model = [
        SecretSample(Secret.self) { secret },
        SecretSample([Secret: [Secret?]].self) { [secret: [secret]] },
        SecretSample(AuthSession.self) { session },
        SecretSample(AuthSession.OpenID.self) { AuthSession.OpenID(idToken: secret) },
        SecretSample(AuthSessionInfo.self) { AuthSessionInfo(user: user, provider: .kakao, idToken: secret) },
        SecretSample(AdoptableSession.self) { AdoptableSession(refreshToken: secret, user: user) },
        SecretSample(Credential.self) {
            var sample = credential
            sample.issuedTokens = .init(
                refreshToken: secret, scopes: [], members: ["m": .string(mark)], date: nil, keyThumbprint: nil)
            return sample
        },
        SecretSample(Credential.AuthorizationCode.self) { code },
        SecretSample(Result<Credential, AuthError>.self) { .success(credential) },
        SecretSample(StoredRecord.self) { StoredRecord(data: Data(mark.utf8), version: .none) },
        SecretSample(MemorySessionStore.self) {
            let store = MemorySessionStore()
            try await store.write(Data(mark.utf8), for: .session)
            return store
        },
        SecretSample(AuthRequest.self) { try request() },
        SecretSample(UserCode.self) {
            UserCode(code: mark, verificationURI: try url(), verificationURIComplete: try url(), expiresIn: .zero)
        },
        SecretSample(Challenge.self) {
            Challenge(.page(.init(try url())), pendingToken: secret, context: ["id": secret])
        },
        SecretSample(Challenge.Step.self) { .page(.init(try url())) },
        SecretSample(Challenge.Page.self) { Challenge.Page(try url(), callbackURL: try url()) },
        SecretSample(Challenge.Enrollment.self) { Challenge.Enrollment(secret: secret, url: secret) },
        SecretSample(SecurityChange.self) { .setPassword(secret) },
        SecretSample(ChallengeAnswer.self) { .form(["password": secret]) },
        SecretSample(AuthPrompt.self) { AuthPrompt(Challenge(.page(.init(try url())), pendingToken: secret)) },
        SecretSample(AuthPrompt.Request<Challenge.Page>.self) {
            try #require(AuthPrompt(Challenge(.page(.init(try url())), pendingToken: secret)).page)
        },
        SecretSample(AuthPrompt.Request<Challenge.Enrollment>.self) {
            try #require(AuthPrompt(Challenge(.enrollment(.init(secret: secret, url: secret)))).enrollment)
        },
        SecretSample(AuthorizationAnswer.self) { AuthorizationAnswer(url: try url(), redirectURI: plain) },
        SecretSample(ListenerPage.self) { ListenerPage(try url()) },
        SecretSample(AuthorizationPage.self) {
            let answer = try url()
            return AuthorizationPage(
                redirect: .redirect(plain), makeURL: { _ in answer }, accepts: { $0 == answer && $0 != $1 })
        },
        SecretSample(CallbackExpectation.self) {
            let router = CallbackRouter()
            let expectation = router.expect { _ in true }
            router.handle(try url())
            return expectation
        },
        SecretSample(CallbackRouter.self) {
            let router = CallbackRouter()
            router.handle(try url())
            return router
        },
    ]

    private static let http = [
        SecretSample(AuthHTTPRequest.self) {
            AuthHTTPRequest(.post, try url(), headers: [.authorization: "Bearer \(mark)"], body: Data(mark.utf8))
        },
        SecretSample(AuthHTTPResponse.self) {
            AuthHTTPResponse(status: 200, headers: ["set-cookie": mark], body: Data(mark.utf8))
        },
        SecretSample(JSONWebToken.self) {
            let claims = Base64URL.encode(Data(#"{"nonce": "\#(mark)"}"#.utf8))
            return try #require(JSONWebToken(Secret("e30.\(claims).\(mark)")))
        },
        SecretSample(ServerRepository.self) {
            ServerRepository(at: plain, headers: { ["x-attestation": mark] }, transport: transport)
        },
        SecretSample([any Sendable].self) {
            let body = #"{"accessToken":"\#(mark)","refreshToken":"\#(mark)","user":{"id":"u1"}}"#
            let answer = AuthHTTPResponse(status: 200, body: Data(body.utf8))
            let problem = AuthHTTPResponse(
                status: 403, headers: [.contentType: "application/problem+json"],
                body: Data(#"{"type":"https://e.example/\#(mark)","detail":"\#(mark)"}"#.utf8))
            func exchange(_ answer: AuthHTTPResponse) -> ServerExchange {
                ServerExchange(request: AuthHTTPRequest(.post, plain), response: answer)
            }
            return [
                try ServerResponse(exchange(answer), by: ServerContract()),
                try #require(ServerCookie("refreshToken=\(mark); Path=/")),
                ServerErrorResponse(exchange(problem), to: .refresh, by: .init()),
                ServerErrorResponse(exchange(problem), to: .refresh, by: .init()).error,
                try #require(ProblemDetails(exchange(problem))),
                ServerMember(value: ["refreshToken": .string(mark)], path: "payload"),
                TokenEndpoint.Answer(answer, from: TokenEndpoint(url: plain, transport: transport), hiding: [secret]),
            ]
        },
        SecretSample(Promise<String>.self) {
            let promise = Promise<String>()
            promise.resolve(mark)
            return promise
        },
    ]

    private static let errors = [
        SecretSample(AuthConflict.self) { AuthConflict(credential: credential) },
        SecretSample(AuthError.self) {
            let userInfo: [String: Any] = [
                NSURLErrorFailingURLErrorKey: try url(), "NSErrorFailingURLStringKey": try url().absoluteString,
                NSLocalizedDescriptionKey: mark,
                NSUnderlyingErrorKey: NSError(domain: "below", code: 1, userInfo: ["t": mark]),
            ]
            return AuthError(wrapping: URLError(.timedOut, userInfo: userInfo))
        },
        SecretSample([AuthError].self) {
            struct Leaky: LocalizedError {
                var token = mark
                var errorDescription: String? { token }
            }
            enum Telling: Error { case token(String) }
            let context = DecodingError.Context(codingPath: [], debugDescription: mark, underlyingError: Leaky())
            var refusal = AuthError(.accessDenied, "A function refused it.")
            refusal.serverDetails = ["token": .string(mark)]
            return [
                refusal,
                AuthError(wrapping: Leaky()), AuthError(.server, "It failed.", cause: Telling.token(mark)),
                AuthError(wrapping: DecodingError.dataCorrupted(context)),
                AuthError(.credentialInUse, "", conflict: AuthConflict(credential: credential)),
            ]
        },
        SecretSample(AuthError.Cause.self) {
            AuthError.Cause(
                scrubbing: NSError(domain: "d", code: 1, userInfo: ["token": mark, NSURLErrorKey: try url()]))
        },
    ]

    private static let flows = [
        SecretSample(SessionManager.self) { try await manager() },
        SecretSample(NotesFile.self) {
            var file = NotesFile(try await manager())
            await file.update { _ in }
            return file
        },
        SecretSample(AuthService.self) {
            let provider = ScriptedProvider(.naver) { _ in credential }
            let auth = AuthService(
                repository: repository, providers: [provider], store: MemorySessionStore(), callbacks: callbacks)
            _ = try await auth.signIn(with: .naver).value
            return auth
        },
        SecretSample(AuthSignIn.self) { AuthSignIn(repository: repository, manager: try await manager()) },
        SecretSample(RefreshSession.self) { refreshing(try await manager()) },
        SecretSample(AuthStream<Credential>.self) { .success(credential) },
    ]

    private static let oauth = [
        SecretSample(OtherAppWait.Launch.self) { try launch() },
        SecretSample(OtherAppWait.Answer.self) {
            let (router, answer, way) = (CallbackRouter(), try url(), try launch())
            let opener = AnsweringOpener { router.handle(answer) }
            return try #require(
                try await OtherAppWait(opener: opener, callbacks: router).answer(
                    opening: [way], comingBackTo: plain, reportingTo: request()
                ) { _ in true })
        },
        SecretSample(AuthorizationCallback.self) { AuthorizationCallback(fields: ["code": mark]) },
        SecretSample(AuthorizationGrant.self) {
            AuthorizationGrant(
                callback: AuthorizationCallback(fields: ["code": mark]), redirectURI: plain, verifier: secret,
                nonce: secret)
        },
        SecretSample(AuthorizationRequest.self) {
            AuthorizationRequest(endpoint: plain, clientID: "c", state: secret)
        },
        SecretSample(
            AuthorizationSecrets.self, secrets: { [$0.state, $0.nonce, $0.proofKey.verifier] },
            { AuthorizationSecrets() }),
        SecretSample(PKCE.self) { PKCE(verifier: secret) },
        SecretSample(ClientAuthentication.self) { .basic(secret) },
        SecretSample(ExpectedCallback.self) { ExpectedCallback(state: secret) },
        SecretSample(IDToken.self) {
            IDToken(token: secret, subject: "1", claims: ["nonce": .string(mark)], header: [:])
        },
        SecretSample(IDTokenContext.self) {
            IDTokenContext(channel: .browser, nonce: secret, accessToken: secret, code: secret)
        },
        SecretSample(IDTokenRules.self) { rules() },
        SecretSample(IDTokenValidator.self) {
            let keys = IssuerKeys(url: plain, transport: transport, clock: .system)
            return IDTokenValidator(rules: rules(), keys: keys, clock: .system)
        },
        SecretSample(OAuthClient.self) { client },
        SecretSample(OAuthFailure.self) { OAuthFailure(origin: .callback, error: "e", members: members) },
        SecretSample(TokenResponse.self) { try TokenResponse(members: members, date: nil) },
        SecretSample([String: AuthJSON].self) {
            var tokens = members
            tokens["error_description"] = nil
            return try TokenResponse(members: tokens, date: nil).members
        },
        SecretSample(ProgressReporter.self) { ProgressReporter(of: .naver, reportingTo: try request()) },
        SecretSample(OpenIDProvider.Configuration.self) {
            OpenIDProvider.Configuration(
                .naver, issuer: "i", clientID: "c", authentication: .post(secret), redirect: .redirect(plain))
        },
        SecretSample(OpenIDProvider.self) {
            OpenIDProvider(client, redirect: .redirect(plain), userAgent: SystemBrowser(opener: AnsweringOpener {}))
        },
        SecretSample(DeviceCodeProvider.self) { DeviceCodeProvider(client) },
        SecretSample(OpenIDRepository.self) {
            OpenIDRepository(
                for: OpenIDProvider(
                    client, redirect: .redirect(plain), userAgent: SystemBrowser(opener: AnsweringOpener {})))
        },
        SecretSample(GoogleProvider.self) {
            GoogleProvider(
                clientID: "c", clientSecret: secret, userAgent: SystemBrowser(opener: AnsweringOpener {}),
                transport: transport)
        },
    ]

    private static let firebase = [
        SecretSample(FirebaseProject.self) { project },
        SecretSample(SupabaseProject.self) { supabase },
        SecretSample(SupabaseRepository.self) { SupabaseRepository(project: supabase, transport: transport) },
        SecretSample(FirebaseRepository.self) { FirebaseRepository(project: project, transport: transport) },
        SecretSample(IdentityToolkit.self) { IdentityToolkit(project: project, transport: transport) },
        SecretSample(IdentityToolkit.Tokens.self) {
            let token = "e30.\(Base64URL.encode(Data(#"{"sub":"u1"}"#.utf8))).\(mark)"
            let members: [String: AuthJSON] = [
                "idToken": .string(token), "refreshToken": .string(mark), "localId": "u1",
            ]
            return try IdentityToolkit.Tokens(
                signIn: IdentityToolkit.Answer(members: members, request: AuthHTTPRequest(.post, plain), date: nil))
        },
        SecretSample(IdpAssertion.self) {
            try IdpAssertion(Credential(provider: .google, idToken: secret, rawNonce: secret))
        },
        SecretSample(CallableFunctions.self) { functions },
        SecretSample(SocialLoginFunction.self) { SocialLoginFunction(functions) },
        SecretSample(SocialRevocationFunction.self) { SocialRevocationFunction(functions) },
        SecretSample(SessionRevocationFunction.self) { SessionRevocationFunction(functions) },
        SecretSample(SocialAuthCoordinator.self) {
            SocialAuthCoordinator(
                source: SocialLoginFunction(functions),
                firebase: IdentityToolkit(project: project, transport: transport))
        },
    ]

    private static let testing = [
        emulated(IssuedSecret.self) { emulator, _ in try #require(emulator.issuedSecrets.first { !$0.value.isEmpty }) },
        SecretSample(type: EmulatedFirebase.Mail.self) {
            try await withEmulator { emulator in
                let repository = FirebaseRepository.emulated(at: emulator.baseURL)
                let account = Credential.password(email: "minji@example.com", "correct horse")
                let session = try await repository.signUp(with: account)
                _ = try await repository.prepare(.emailVerification, in: session)
                let mail = try #require(emulator.firebase.mails.last)
                return SecretSample.text(of: mail, with: [mail.code])
            }
        },
        SecretSample(type: EmulatedMessage.self) {
            try await withEmulator { emulator in
                let repository = ServerRepository.emulated(at: emulator.baseURL)
                await #expect(throws: AuthError.self) {
                    try await repository.signIn(with: .code(to: "minji@example.com"))
                }
                let message = try #require(emulator.messages.last)
                return SecretSample.text(of: message, with: [try #require(message.code)])
            }
        },
        emulated(EmulatorJournal.self) { emulator, _ in emulator.journal },
        emulated(EmulatorJournal.Entry.self) { emulator, _ in try #require(emulator.journal.entries.last) },
        emulated(EmulatedApps.self) { _, device in device.apps },
        emulated(ScriptedBrowser.self) { _, device in device.browser },
        emulated(ScriptedBrowser.Visit.self) { _, device in try #require(device.browser.visits.last) },
        emulated(EmulatedDevice.self) { _, device in device },
        SecretSample(ScriptedRepository.self) {
            _ = try await manager()
            return repository
        },
        SecretSample(FaultySessionStore.self) {
            let store = FaultySessionStore()
            try await store.write(Data(mark.utf8), for: .session)
            return store
        },
    ]
}

/// Answers no request.
private struct EmptyTransport: AuthHTTPTransport {
    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        throw AuthError(.network, "No network.")
    }
}

/// An app that opens, and answers at once.
private struct AnsweringOpener: ApplicationOpener {
    let answer: @Sendable () -> Void

    init(_ answer: @escaping @Sendable () -> Void) { self.answer = answer }

    func canOpen(_ url: URL) -> Bool { true }

    func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? {
        answer()
        return .unobservable
    }
}
