import AuthStreams
import AuthStreamsOAuth
import Foundation
import Testing

/// Who is asked by which kind of method: the one that a request names and no other, or by the provider's own order.
@MainActor
struct MethodKindTests {
    // MARK: Kakao

    @Test func kakaoHasTalkAndThePage() {
        #expect(KakaoFixture().provider.methodKinds == [.app, .web])
    }

    @Test func talkAloneAnswers() async throws {
        let kakao = KakaoFixture()
        _ = try await kakao.attempt(AuthRequest(methodKind: .app)).get()
        #expect(kakao.steps.steps == [.waitingForOtherApp, .exchanging])
        #expect(kakao.browser.opened.isEmpty)
    }

    @Test(arguments: [true, false])
    func talkAloneIsUnavailableWhereItDoesNotOpen(isInstalled: Bool) async throws {
        let kakao = KakaoFixture(talk: { _ in .refuse })
        kakao.phone.isInstalled = isInstalled
        let error = try #require(await kakao.failure(AuthRequest(methodKind: .app)))
        #expect(error.code == .appUnavailable && error.step == .waitingForOtherApp)
        #expect(error.explanation.contains("LSApplicationQueriesSchemes"))
        #expect(kakao.browser.opened.isEmpty && kakao.server.requests.isEmpty)
        #expect(kakao.steps.steps.isEmpty)
    }

    private let misconfiguration = AuthError(.misconfigured, "CFBundleURLTypes lacks the scheme.")

    /// The answer of an app that was opened all the same would be lost.
    @Test func talkIsNotOpenedByAnAppThatCannotReceiveTheAnswer() async throws {
        let kakao = KakaoFixture(page: { _ in .failure(.cancelled) })
        kakao.phone.misconfiguration = misconfiguration
        let error = try #require(await kakao.failure(AuthRequest(methodKind: .app)))
        #expect(error.code == .misconfigured && error.explanation == misconfiguration.explanation)
        #expect(kakao.phone.asked.isEmpty && kakao.phone.opened.isEmpty && kakao.browser.opened.isEmpty)
        #expect(await kakao.failure(AuthRequest())?.code == .cancelled, "The page answers without the entry.")
        #expect(kakao.phone.opened.isEmpty && kakao.browser.opened.count == 1)
    }

    @Test func talkAloneThatFailsIsNotFollowedByThePage() async throws {
        let kakao = KakaoFixture(talk: { _ in .answer(["kakaoa1b2://oauth?error=login_required"]) })
        let error = try #require(await kakao.failure(AuthRequest(methodKind: .app)))
        #expect(error.code == .requiresRecentSignIn && error.step == .waitingForOtherApp)
        #expect(kakao.browser.opened.isEmpty)
    }

    @Test func talkAloneCannotAskForScopes() async throws {
        var kakao = KakaoFixture()
        var requests = [AuthRequest(methodKind: .app, extraScopes: ["friends"])]
        #expect(try #require(await kakao.failure(requests.removeFirst())).code == .misconfigured)
        kakao.configuration.scopes = ["account_email"]
        #expect(try #require(await kakao.failure(AuthRequest(methodKind: .app))).code == .misconfigured)
        #expect(kakao.phone.opened.isEmpty && kakao.browser.opened.isEmpty)
    }

    @Test func kakaosPageIsAskedAtOnce() async throws {
        let kakao = KakaoFixture(page: { _ in .callbacks([KakaoFixture.pageAnswer("code=page-secret")]) })
        _ = try await kakao.attempt(AuthRequest(methodKind: .web)).get()
        #expect(kakao.phone.asked.isEmpty && kakao.phone.opened.isEmpty)
        #expect(kakao.browser.opened.count == 1 && kakao.steps.steps == [.presenting, .exchanging])
    }

    @Test func withoutAKindKakaosPageFollowsTalk() async throws {
        let kakao = KakaoFixture(
            talk: { _ in .refuse }, page: { _ in .callbacks([KakaoFixture.pageAnswer("code=page-secret", request: 2)]) }
        )
        _ = try await kakao.attempt().get()
        #expect(kakao.phone.opened.count == 1 && kakao.browser.opened.count == 1)
    }

    // MARK: Naver

    @Test(
        arguments: [(.appPreferred, [.app, .web]), (.appOnly, [.app]), (.browserOnly, [.web])]
            as [(NaverProvider.Configuration.Mode, [SignInMethod.Kind])])
    func modeSaysWhichKindsNaverHas(mode: NaverProvider.Configuration.Mode, kinds: [SignInMethod.Kind]) async throws {
        var naver = NaverFixture(page: { _ in Self.naversAnswer })
        naver.configuration.mode = mode
        #expect(naver.provider.methodKinds == kinds)
        for named in [SignInMethod.Kind.app, .web] where !kinds.contains(named) {
            let error = try #require(await naver.failure(AuthRequest(methodKind: named)))
            #expect(error.code == .unsupportedProvider)
        }
        #expect(naver.phone.opened.isEmpty && naver.browser.opened.isEmpty)
        for named in kinds { _ = try await naver.attempt(AuthRequest(methodKind: named)).get() }
        #expect(naver.phone.opened.count == (kinds.contains(.app) ? 1 : 0))
        #expect(naver.browser.opened.count == (kinds.contains(.web) ? 1 : 0))
    }

    @Test func naversAppIsNotOpenedByAnAppThatCannotReceiveTheAnswer() async throws {
        var naver = NaverFixture(page: { _ in .failure(.cancelled) })
        naver.phone.misconfiguration = misconfiguration
        #expect(await naver.failure()?.code == .cancelled, "The page answers without the entry.")
        naver.configuration.mode = .appOnly
        let error = try #require(await naver.failure())
        #expect(error.code == .misconfigured && error.explanation == misconfiguration.explanation)
        #expect(naver.phone.asked.isEmpty && naver.phone.opened.isEmpty && naver.browser.opened.count == 1)
    }

    @Test(arguments: [true, false])
    func naversAppAloneIsUnavailableWhereItDoesNotOpen(isInstalled: Bool) async throws {
        let naver = NaverFixture(app: { _ in .refuse })
        naver.phone.isInstalled = isInstalled
        let error = try #require(await naver.failure(AuthRequest(methodKind: .app)))
        #expect(error.code == .appUnavailable && error.step == .waitingForOtherApp)
        #expect(naver.browser.opened.isEmpty)
    }

    @Test func naversAppAloneThatFailsIsNotFollowedByThePage() async throws {
        let naver = NaverFixture(app: { _ in .answer(["myapp://thirdPartyLoginResult?code=9"]) })
        #expect(try #require(await naver.failure(AuthRequest(methodKind: .app))).code == .server)
        #expect(naver.browser.opened.isEmpty)
    }

    @Test func naversPageIsAskedAtOnce() async throws {
        let naver = NaverFixture(page: { _ in Self.naversAnswer })
        _ = try await naver.attempt(AuthRequest(methodKind: .web)).get()
        #expect(naver.phone.asked.isEmpty && naver.phone.opened.isEmpty && naver.steps.steps == [.presenting])
    }

    @Test(arguments: [AuthRequest(purpose: .reauthenticate), AuthRequest(prompts: [.login])])
    func newLogInIsAskedOnNaversPageBecauseTheAppKnowsNone(request: AuthRequest) async throws {
        let naver = NaverFixture(page: { _ in Self.naversAnswer })
        _ = try await naver.attempt(request).get()
        #expect(naver.phone.opened.isEmpty)
        #expect(naver.browser.opened.first?.contains("&auth_type=reauthenticate&") == true)
    }

    @Test func newLogInIsAskedByNaversAppWhereThatIsAllThereIs() async throws {
        var naver = NaverFixture()
        naver.configuration.mode = .appOnly
        _ = try await naver.attempt(AuthRequest(prompts: [.login])).get()
        #expect(naver.phone.opened.count == 1)
    }

    /// The app's answer is not bound to the attempt: it may be another person's code.
    @Test(arguments: [AuthRequest.Purpose.link, .reauthenticate])
    func naversAppIsNoProofForLinking(purpose: AuthRequest.Purpose) async throws {
        var naver = NaverFixture(page: { _ in Self.naversAnswer })
        #expect(try await naver.attempt(AuthRequest(purpose: purpose)).get().isBound)
        #expect(naver.phone.opened.isEmpty && naver.browser.opened.count == 1)

        let refusal = try #require(await naver.failure(AuthRequest(purpose: purpose, methodKind: .app)))
        #expect(refusal.code == .misconfigured && refusal.explanation.contains("another app can answer"))
        naver.configuration.mode = .appOnly
        #expect(try #require(await naver.failure(AuthRequest(purpose: purpose))).code == .misconfigured)
        #expect(naver.phone.opened.isEmpty && naver.browser.opened.count == 1)
    }

    @Test func naversAppSignsInWithACredentialThatIsNotBound() async throws {
        let naver = NaverFixture()
        #expect(try await !naver.attempt(AuthRequest()).get().isBound)
    }

    private static var naversAnswer: PageReader.Reaction {
        .callbacks(["myapp://authorize?code=page-secret&state=\(NaverFixture.state)"])
    }

    // MARK: Every provider

    @Test func appleAndGoogleHaveThePageAlone() {
        #expect(AppleFixture().provider(AppleFixture().agent, AppleFixture().transport).methodKinds == [.web])
        #expect(GoogleFixture().provider(GoogleFixture().agent, GoogleFixture().transport).methodKinds == [.web])
    }

    @Test(arguments: [SignInMethod.Kind.sheet, .standard, "carrier pigeon"])
    func aKindThatAProviderHasNotIsRefusedBeforeAnythingIsShown(kind: SignInMethod.Kind) async throws {
        let (apple, google) = (AppleFixture(), GoogleFixture())
        let (kakao, naver) = (KakaoFixture(), NaverFixture())
        let (agent, transport) = (google.agent, google.transport)
        let providers: [any AuthProvider] = [
            apple.provider(agent, transport), google.provider(agent, transport), kakao.provider, naver.provider,
        ]
        for provider in providers {
            let steps = StepLog()
            let request = AuthRequest(methodKind: kind, onStep: steps.append)
            let error = await #expect(throws: AuthError.self) { try await provider.authenticate(request).value }
            #expect(error?.code == .unsupportedProvider && error?.provider == provider.id)
            #expect(steps.steps.isEmpty)
        }
        #expect(agent.pages.isEmpty && transport.requests.isEmpty)
        #expect(kakao.phone.asked.isEmpty && naver.phone.asked.isEmpty)
    }
}
