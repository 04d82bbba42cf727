import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

/// The device's own promises, with the emulator's side played by a function.
@MainActor
struct EmulatedAppsTests {
    private let talk = """
        kakaokompassauth://authorize?client_id=key1&redirect_uri=kakaokey1%3A%2F%2Foauth&response_type=code\
        &headers=%7B%22KA%22%3A%22sdk%2F1.0.0%20os%2Fios-17%22%7D\
        &params=%7B%22code_challenge%22%3A%22E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM%22%2C\
        %22code_challenge_method%22%3A%22S256%22%2C%22nonce%22%3A%22n%2B1%22%7D\
        &deep_link_method=universal_link,uri_scheme
        """
    private let naver = """
        naversearchthirdlogin://thirdPartyLogin?version=2&callbackScheme=myapp&extOauthConsumerKey=client\
        &response_type=code&extAppName=My%20App
        """

    @Test func talkFetchesItsCodeAndAnswersThroughTheHandler() async throws {
        let transport = AppServer { _ in .redirect("kakaokey1://oauth?code=c1") }
        let inbox = Inbox()
        let device = EmulatedApps(emulator: try url("http://127.0.0.1:9/"), transport: transport, handle: inbox.take)
        let visit = try #require(await device.open(try url(talk), universalLinksOnly: false))
        await visit.waitForReturn()
        #expect(inbox.urls == ["kakaokey1://oauth?code=c1"])
        #expect(
            transport.requests == [
                """
                POST http://127.0.0.1:9/talk-apps.kakao.com/emulator/code \
                client_id=key1&redirect_uri=kakaokey1%3A%2F%2Foauth\
                &code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256&nonce=n%2B1\
                &decision=approve
                """
            ])
        #expect(device.refusals.isEmpty)
        #expect(device.visits == [.kakaoTalk: 1])
    }

    @Test func talkTakesAUniversalLink() async throws {
        let transport = AppServer { _ in .redirect("kakaokey1://oauth?code=c1") }
        let inbox = Inbox()
        let device = EmulatedApps(emulator: try url("http://127.0.0.1:9"), transport: transport, handle: inbox.take)
        let visit = try #require(await device.open(try url(universalLink()), universalLinksOnly: true))
        await visit.waitForReturn()
        #expect(inbox.urls == ["kakaokey1://oauth?code=c1"])

        device.takesUniversalLinks = false
        #expect(await device.open(try url(universalLink()), universalLinksOnly: true) == nil)
        #expect(device.refusals.isEmpty)
    }

    @Test func naverAppFetchesItsCodeAsTheChosenUser() async throws {
        let transport = AppServer { _ in .redirect("myapp://thirdPartyLoginResult?authCode=c2") }
        let inbox = Inbox()
        let device = EmulatedApps(emulator: try url("http://127.0.0.1:9"), transport: transport, handle: inbox.take)
        device.naver = .approve(as: "nari@example.com")
        let visit = try #require(await device.open(try url(naver), universalLinksOnly: false))
        await visit.waitForReturn()
        #expect(inbox.urls == ["myapp://thirdPartyLoginResult?authCode=c2"])
        #expect(
            transport.requests == [
                """
                POST http://127.0.0.1:9/nid.naver.com/emulator/app-code \
                client_id=client&callback_scheme=myapp&response_type=code&decision=approve&user=nari%40example.com
                """
            ])
    }

    @Test(arguments: [
        ("client_id=key1&", ""),
        ("client_id=key1", "client_id=key2"),
        ("client_id=key1", "client_id=key1&client_id=key1"),
        ("redirect_uri=kakaokey1%3A%2F%2Foauth", "redirect_uri=kakaokey1%3A%2F%2Fother"),
        ("redirect_uri=kakaokey1%3A%2F%2Foauth", "redirect_uri=myapp%3A%2F%2Foauth"),
        ("response_type=code", "response_type=token"),
        ("sdk%2F1.0.0%20", ""),
        ("headers=%7B", "headers=%5B"),
        ("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw%2BcM"),
        ("S256", "plain"),
        ("%22n%2B1%22", "7"),
        ("universal_link,uri_scheme", "universal_link"),
        ("universal_link,uri_scheme", "uri_scheme&broken=%2"),
        ("//authorize", "//login"),
    ])
    func talkRefusesAWrongURL(part: String, replacement: String) async throws {
        try await expectRefusal(of: talk.replacing(part, with: replacement), unlike: talk)
    }

    @Test(arguments: [
        ("version=2", "version=1"),
        ("callbackScheme=myapp&", ""),
        ("callbackScheme=myapp", "callbackScheme=my%20app"),
        ("extOauthConsumerKey=client", "extOauthConsumerKey="),
        ("response_type=code", "response_type=token"),
        ("&extAppName=My%20App", ""),
        ("version=2", "version=2&version=2"),
        ("//thirdPartyLogin", "//thirdPartyLogout"),
    ])
    func naverAppRefusesAWrongURL(part: String, replacement: String) async throws {
        try await expectRefusal(of: naver.replacing(part, with: replacement), unlike: naver)
    }

    @Test func clientThatTheServerDoesNotKnowIsRefused() async throws {
        let transport = AppServer { _ in .refusal("unknown client") }
        let device = EmulatedApps(emulator: try url("http://127.0.0.1:9"), transport: transport) { _ in true }
        #expect(await device.open(try url(talk), universalLinksOnly: false) == nil)
        #expect(device.refusals == ["kakaoTalk's server answered 400: unknown client."])
        #expect(device.visits.isEmpty)
    }

    @Test func requestOfAnAppThatFailsIsKeptWithItsReason() async throws {
        let transport = AppServer { _ in .failure(AuthError(.network, "No complete answer came.")) }
        let device = EmulatedApps(emulator: try url("http://127.0.0.1:9"), transport: transport) { _ in true }
        #expect(await device.open(try url(naver), universalLinksOnly: false) == nil)
        #expect(device.refusals.count == 1)
        #expect(device.refusals.first?.hasSuffix("AuthError network\n  No complete answer came.") == true)
    }

    @Test func naverAppAsksForTheConsentsAgainAndKnowsNoOtherAuthType() async throws {
        let transport = AppServer { _ in .redirect("myapp://thirdPartyLoginResult?authCode=c2") }
        let device = EmulatedApps(emulator: try url("http://127.0.0.1:9"), transport: transport) { _ in true }
        #expect(await device.open(try url(naver + "&authType=reprompt"), universalLinksOnly: false) != nil)
        #expect(device.refusals.isEmpty)
        for other in ["reauthenticate", "", "Reprompt"] {
            try await expectRefusal(of: "\(naver)&authType=\(other)", unlike: naver)
        }
    }

    @Test(arguments: [
        (EmulatedApps.UserAction.cancel, "kakaokey1://oauth?error=cancelled&error_description=emulated"),
        (.fail("server_error"), "kakaokey1://oauth?error=server_error&error_description=emulated"),
        (.notSignedIn, "kakaokey1://oauth?error=login_required&error_description=emulated"),
        (.comeBackWithoutAnswer, ""),
    ])
    func talkAnswersWithoutItsServer(action: EmulatedApps.UserAction, answer: String) async throws {
        let (transport, inbox) = (AppServer { _ in .refusal("must not be asked") }, Inbox())
        let device = EmulatedApps(emulator: try url("http://127.0.0.1:9"), transport: transport, handle: inbox.take)
        device.kakaoTalk = action
        await (try #require(await device.open(try url(talk), universalLinksOnly: false))).waitForReturn()
        #expect(inbox.urls == (answer.isEmpty ? [] : [answer]))
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: [
        (EmulatedApps.UserAction.cancel, "myapp://thirdPartyLoginResult?code=2&error_detail=emulated"),
        (.fail("9"), "myapp://thirdPartyLoginResult?code=9&error_detail=emulated"),
        (.notSignedIn, "myapp://thirdPartyLoginResult?code=10&error_detail=emulated"),
        (.comeBackWithoutAnswer, ""),
    ])
    func naverAppAnswersWithoutItsServer(action: EmulatedApps.UserAction, answer: String) async throws {
        let (transport, inbox) = (AppServer { _ in .refusal("must not be asked") }, Inbox())
        let device = EmulatedApps(emulator: try url("http://127.0.0.1:9"), transport: transport, handle: inbox.take)
        device.naver = action
        await (try #require(await device.open(try url(naver), universalLinksOnly: false))).waitForReturn()
        #expect(inbox.urls == (answer.isEmpty ? [] : [answer]))
        #expect(transport.requests.isEmpty)
    }

    @Test func denialIsTheServersToWord() async throws {
        let transport = AppServer { form in
            form.contains("decision=deny") ? .redirect("kakaokey1://oauth?error=access_denied") : .refusal("?")
        }
        let inbox = Inbox()
        let device = EmulatedApps(emulator: try url("http://127.0.0.1:9"), transport: transport, handle: inbox.take)
        device.kakaoTalk = .deny
        await (try #require(await device.open(try url(talk), universalLinksOnly: false))).waitForReturn()
        #expect(inbox.urls == ["kakaokey1://oauth?error=access_denied"])
    }

    @Test func appThatIsNotInstalledNeitherOpensNorRefuses() async throws {
        let device = EmulatedApps(
            emulator: try url("http://127.0.0.1:9"), transport: AppServer { _ in .refusal("?") }
        ) { _ in true }
        device.installed = [.naver]
        #expect(!device.canOpen(try url("kakaokompassauth://authorize")))
        #expect(device.canOpen(try url("naversearchthirdlogin://")))
        #expect(await device.open(try url(talk), universalLinksOnly: false) == nil)
        #expect(device.refusals.isEmpty)
        #expect(device.opened == [try url(talk)])
    }

    @Test func customSchemeIsNoUniversalLink() async throws {
        let device = EmulatedApps(
            emulator: try url("http://127.0.0.1:9"), transport: AppServer { _ in .refusal("?") }
        ) { _ in true }
        #expect(await device.open(try url(talk), universalLinksOnly: true) == nil)
        #expect(device.visits.isEmpty)
    }

    @Test func otherURLsGoToWhatComesNext() async throws {
        let browser = Browser()
        let device = EmulatedApps(
            emulator: try url("http://127.0.0.1:9"), transport: AppServer { _ in .refusal("?") }, next: browser
        ) { _ in true }
        let page = try url("https://kauth.kakao.com/oauth/authorize")
        #expect(device.canOpen(page))
        #expect(await device.open(page, universalLinksOnly: false) != nil)
        #expect(browser.opened == [page])
        #expect(device.visits.isEmpty)
    }

    @Test func answerThatNobodyAwaitsIsCounted() async throws {
        let transport = AppServer { _ in .redirect("kakaokey1://oauth?code=c1") }
        let device = EmulatedApps(emulator: try url("http://127.0.0.1:9"), transport: transport) { _ in false }
        await (try #require(await device.open(try url(talk), universalLinksOnly: false))).waitForReturn()
        #expect(device.unclaimedAnswers == 1)
    }

    private func universalLink() -> String {
        let inner = talk.replacing("universal_link,uri_scheme", with: "universal_link")
        return "https://talk-apps.kakao.com/scheme/\(FormCoding.escape(inner))"
    }

    /// A changed URL opens nothing, is explained, and reaches neither server nor handler.
    private func expectRefusal(of changed: String, unlike original: String) async throws {
        #expect(changed != original)
        let (transport, inbox) = (AppServer { _ in .redirect("kakaokey1://oauth?code=c") }, Inbox())
        let device = EmulatedApps(emulator: try url("http://127.0.0.1:9"), transport: transport, handle: inbox.take)
        #expect(await device.open(try url(changed), universalLinksOnly: false) == nil)
        #expect(device.refusals.count == 1)
        #expect(transport.requests.isEmpty)
        #expect(inbox.urls.isEmpty)
        #expect(device.visits.isEmpty)
    }
}
