import AuthStreams
import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import AuthStreamsTesting

/// The emulator's page for developers.
@MainActor
@Suite struct DashboardTests {
    private static func page(
        of emulator: Emulator, _ query: String = "", accepting languages: String? = nil
    ) async throws -> String {
        let url = try #require(URL(string: "\(emulator.baseURL)/\(query)"))
        var request = AuthHTTPRequest(.get, url)
        if let languages { request.headers["accept-language"] = languages }
        let answer = try await EmulatorTransport.untimed(to: emulator).send(request)
        #expect(answer.status == 200 && answer.headers["cache-control"] == "no-store")
        return answer.text
    }

    @Test func pageListsEveryServiceClientSecretAndPerson() async throws {
        try await withEmulator { emulator in
            let (page, configuration) = (try await Self.page(of: emulator), emulator.configuration)
            let expected =
                emulator.hosts + configuration.clientIDs.map(\.id) + configuration.secrets.map(\.value)
                + configuration.kakao.users.map(\.id)
            for text in expected { #expect(page.contains(HTML.escape(text)), "\(text)") }
            #expect(emulator.hosts.contains("identitytoolkit.googleapis.com"))
        }
    }

    @Test func languageIsTheChosenOneOrElseTheBrowsers() async throws {
        try await withEmulator { emulator in
            for (query, languages, expected) in [
                ("", nil, "en"), ("", "ko-KR,ko;q=0.9,en;q=0.8", "ko"), ("", "fr, ko;q=0.5", "ko"), ("", "fr", "en"),
                ("?lang=ko", "en", "ko"), ("?lang=en", "ko", "en"), ("?lang=x", "ko", "ko"),
            ] {
                let page = try await Self.page(of: emulator, query, accepting: languages)
                #expect(page.contains("<html lang=\"\(expected)\">"), "\(query) \(languages ?? "")")
                #expect(page.contains(expected == "ko" ? "실시간 요청" : "Live requests"))
            }
        }
    }

    /// What was sent, what is registered, and what to do, on the dashboard and on the page that the person sees.
    @Test func refusalIsExplained() async throws {
        try await withEmulator { emulator in
            let kakao = emulator.configuration.kakao
            let refused = try await Wire(emulator).get(
                "https://kauth.kakao.com/oauth/authorize",
                [
                    "client_id": kakao.restAPIKey, "redirect_uri": "https://app.example/Kakao<b>",
                    "response_type": "code",
                ])
            let pages = [
                refused.text, try await Self.page(of: emulator), try await Self.page(of: emulator, "?lang=ko"),
            ]
            for page in pages {
                #expect(page.contains("<code>https://app.example/Kakao&lt;b&gt;</code>"))
                #expect(page.contains("<code>https://app.example/kakao</code>") && page.contains("KOE006"))
                #expect(!page.contains("Kakao<b>"))
            }
            #expect(pages[1].contains("put yours into the configuration: kakao.redirectURIs."))
            #expect(pages[2].contains("설정 항목 kakao.redirectURIs"))
            #expect(pages[0].contains("<a href=\"/\">"))
        }
    }

    /// A part of the page, the request, its parameters, and what they were compared with.
    private static let refusals: [(String, [String: String], [String])] = [
        ("appleid.apple.com/auth/authorize", ["client_id": "a.b"], ["a.b", "com.example.authstreams.web"]),
        ("accounts.google.com/o/oauth2/v2/auth", ["client_id": "a.b"], ["a.b", "1001-web.apps.googleusercontent.com"]),
        ("kauth.kakao.com/oauth/authorize", ["client_id": "ab"], ["ab", "9f8e7d6c5b4a39281706f5e4d3c2b1a0"]),
        ("nid.naver.com/oauth2.0/authorize", ["client_id": "ab"], ["ab", "emulatorNaverClient"]),
        ("identitytoolkit.googleapis.com/v1/projects", ["key": "ab"], ["ab", EmulatorConfiguration().firebase.apiKey]),
        ("identitytoolkit.googleapis.com/emulator/v1/projects/ab/config", [:], ["ab", "authstreams-demo"]),
        (
            "asia-northeast3-ab.cloudfunctions.net/socialLogin", [:],
            ["asia-northeast3-ab.cloudfunctions.net", "asia-northeast3-authstreams-demo.cloudfunctions.net"]
        ),
    ]

    @Test func eachServiceSaysWhatItExpected() async throws {
        try await withEmulator { emulator in
            for (address, query, values) in Self.refusals {
                let answer = try await Wire(emulator).get("https://\(address)", query.mapValues(Optional.some))
                #expect(answer.status >= 400, "\(address)")
                let exchange = try #require(emulator.router.journal.exchanges.last)
                let refusal = try #require(Refusal(exchange), "\(address)")
                let mismatch = try #require(refusal.mismatches.first, "\(address)")
                #expect(mismatch.sent == values[0])
                #expect(mismatch.expected.contains(values[1]), "\(address)")
                #expect(refusal.reason?.isEmpty == false, "\(address)")
            }
        }
    }

    /// A wrong secret may be that of production.
    @Test func secretsAndTokensAreNotShownWhole() async throws {
        try await withEmulator { emulator in
            let secret = "production-secret-of-someone"
            let answer = try await Wire(emulator).post(
                "https://kauth.kakao.com/oauth/token",
                [
                    "grant_type": "authorization_code", "client_id": emulator.configuration.kakao.restAPIKey,
                    "client_secret": secret, "code": "code-of-production",
                ])
            #expect(answer.status == 401)
            let page = try await Self.page(of: emulator)
            #expect(page.contains("<code>produc… (28)</code>") && page.contains("KOE010"))
            #expect(page.contains("<code>code-o… (18)</code>"))
            #expect(!page.contains(secret) && !page.contains("code-of-production"))
        }
    }

    /// An administrator's key may be sent by mistake. The code of an error is no secret, and what all requests have joins none.
    @Test func keysOfAProjectAreNeitherShownNorShared() async throws {
        try await withEmulator { emulator in
            let key = emulator.configuration.supabase.key
            for (apiKey, version) in [("service-role-key-of-production", ""), (key, ""), (key, "2024-01-01")] {
                let answer = try await Wire(emulator).post(
                    "https://authstreams.supabase.co/auth/v1/token?grant_type=refresh_token",
                    headers: ["apikey": apiKey, "x-supabase-api-version": version], bearer: key)
                #expect(answer.status == (apiKey == key ? 400 : 401))
                #expect((answer.json?["code"]?.string != nil) == !version.isEmpty)
            }
            let page = try await Self.page(of: emulator)
            #expect(page.contains("<code>servic… (30)</code>") && !page.contains("service-role-key-of-production"))
            #expect(emulator.issuedSecrets.map { $0.value.reveal() } == [key])
            #expect(SignInTrace.all(in: emulator.router.journal.exchanges, emulator.configuration).isEmpty)
        }
    }

    /// Each reason for which Apple refuses a client secret, of which it says `invalid_client` alone.
    @Test(.enabled(if: EmulatorCrypto.isAvailable)) func wrongClientSecretOfAppleIsExplained() async throws {
        try await withEmulator { emulator in
            let apple = emulator.configuration.apple
            var other = apple
            other.keyID = "OTHER"
            let old = apple.clientSecret(for: apple.servicesID, now: Date() - 3600)
            let secrets: [(String?, String)] = [
                (nil, "client_secret"), ("text", "client_secret"), (old, "client_secret: iat, exp"),
                (other.clientSecret(for: apple.servicesID, now: Date()), "client_secret: kid"),
                (apple.clientSecret(for: apple.bundleID, now: Date()), "client_secret: sub"),
                (apple.clientSecret(for: apple.servicesID, now: Date()) + "A", "client_secret: signature"),
            ]
            for (secret, name) in secrets {
                let answer = try await Wire(emulator).post(
                    "https://appleid.apple.com/auth/token", ["client_id": apple.servicesID, "client_secret": secret])
                let exchange = try #require(emulator.router.journal.exchanges.last)
                #expect(answer.status == 400 && Refusal(exchange)?.mismatches.map(\.name) == [name])
            }
        }
    }

    /// Kakao quotes the code in its error, Firebase has a form inside the JSON, and an app's callback is in the fragment.
    @Test func secretsInsideOtherTextsAreNotShownWhole() throws {
        let (code, token) = ("code/of+production==", "token-of-production")
        let form = FormCoding.encode([("id_token", token), ("providerId", "google.com")])
        let body: AuthJSON = ["postBody": .string(form), "code": .string(code), "data": ["idToken": "inner-token"]]
        let request = try #require(LoopbackRequest(method: "POST", target: "/id.example/token", body: body.data))
        let journal = JournalStore(clock: .system)
        let number = journal.begin(try #require(EmulatorRequest(request)))
        var answer = LoopbackResponse.oauthError("KOE320", "authorization code not found for code=\(code)")
        answer.headers.append(("Location", "app:/callback#\(FormCoding.encode([("access_token", "access-token")]))"))
        journal.finish(number, answer, status: 400, fault: nil, .init())
        let exchange = try #require(journal.exchanges.first)
        let masks = SecretMasks(of: exchange)
        #expect(Refusal(exchange)?.reason == "KOE320: authorization code not found for code=code/o… (20)")
        #expect(masks.shown(form) == "id_token=token-… (19)&providerId=google.com")
        #expect(masks.shown(body["data"]?.words ?? "") == #"{"idToken":"inn… (11)"}"#)
        #expect(masks.shown(exchange.location ?? "") == "app:/callback#access_token=acce… (12)")
        #expect(masks.shown(FormCoding.encode([("code", code)])) == "code=code/o… (20)")
        let codes = FormCoding.encode((100...200).map { ("code", "code-\($0)") })
        let flood = try #require(LoopbackRequest(method: "GET", target: "/id.example/?\(codes)"))
        _ = journal.begin(try #require(EmulatorRequest(flood)))
        #expect(SecretMasks(of: try #require(journal.exchanges.last)).shown("code-200") == "…")
    }

    @Test func tokensOfOtherParametersAndHeadersAreNotShownWhole() async throws {
        var configuration = EmulatorConfiguration()
        configuration.firebase.appCheckTokens = ["app-check-of-the-emulator"]
        try await withEmulator(configuration) { emulator in
            let wire = Wire(emulator)
            let appCheck = try await wire.get(
                "https://identitytoolkit.googleapis.com/v1/projects", ["key": configuration.firebase.apiKey],
                headers: ["x-firebase-appcheck": "app-check-of-production"])
            let logOut = try await wire.get(
                "https://id.pulseboard.example/realms/main/protocol/openid-connect/logout",
                ["client_id": "other", "id_token_hint": "id-token-of-production"])
            #expect(appCheck.status == 401 && logOut.status == 400)
            let page = try await Self.page(of: emulator)
            #expect(page.contains("app-ch… (23)") && page.contains("id-tok… (22)"))
            #expect(!page.contains("of-production"))
            #expect(
                Refusal(try #require(emulator.router.journal.exchanges.last))?.mismatches.first?.name == "client_id")
        }
    }

    /// A token that is unknown to a revocation is no mistake.
    @Test func whatWasNotRefusedHasNoReason() async throws {
        try await withEmulator { emulator in
            let naver = emulator.configuration.naver
            let answer = try await Wire(emulator).post(
                "https://nid.naver.com/oauth2.0/revoke",
                ["client_id": naver.clientID, "client_secret": naver.clientSecret, "token": "unknown-token"])
            #expect(answer.status == 200)
            let exchange = try #require(emulator.router.journal.exchanges.last)
            #expect(exchange.notes.mismatches.count == 1 && Refusal(exchange) == nil)
            #expect(!(try await Self.page(of: emulator)).contains("class=\"mismatch\""))
        }
    }

    /// What an app would get: the answer, the tokens, the person.
    @Test(arguments: ["Apple", "Google", "Kakao", "Naver"])
    func tryEndsWithWhatTheAppWouldGet(provider: String) async throws {
        try await EmulatedBackend.run { backend in
            let emulator = backend.emulator
            let start = emulator.url(for: "https://app.example/try/\(provider.lowercased())")
            let browser = ScriptedBrowser(.approve, .deny, transport: URLSessionTransport.untimed())
            for title in ["Signed in with \(provider)", "\(provider) sign-in failed"] {
                await browser.open(start, universalLinksOnly: false)?.waitForReturn()
                #expect(browser.lastPageTitle == title)
                #expect(browser.visits.last?.outcome == .arrived)
            }
            // The person's name is in the profile or in the ID token.
            let answers = emulator.router.journal.exchanges.filter { $0.entry.caller == .service }
            #expect(answers.count == (["Kakao", "Naver"].contains(provider) ? 2 : 1))
            #expect(answers.allSatisfy { $0.entry.status == 200 })
        }
    }

    /// The page that ends it, in the language in which it began.
    @Test func tryShowsTheTokensAndThePerson() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let begin = try await wire.get("https://app.example/try/naver", ["lang": "ko"])
            let page = try await wire.get(try #require(begin.headers["location"]))
            let answer = try await wire.answer(page, "approve", user: "naver-1002")
            let end = try await wire.get(try #require(answer.headers["location"]))
            for text in ["Naver 로그인 성공", "토큰 응답", "access_token", "alex@naver.example", "<html lang=\"ko\">"] {
                #expect(end.text.contains(text), "\(text)")
            }
            let token = try #require(
                emulator.issuedSecrets.last { $0.description == "access_token at nid.naver.com" })
            #expect(end.text.contains(HTML.escape(token.value.reveal())))
        }
    }

    @Test func answerThatNoTryHasBegunIsNotRedeemed() async throws {
        try await withEmulator { emulator in
            let page = try await Wire(emulator).get(
                "https://app.example/kakao", ["code": "code-of-another", "state": "state-of-another"])
            #expect(page.text.contains("Kakao sign-in failed") && page.text.contains("it has not begun this sign-in"))
            #expect(emulator.journal.entries.map(\.host) == ["app.example"])
        }
    }

    @Test func signInsAtTheSameTimeAreToldApart() async throws {
        try await EmulatedBackend.run { backend in
            let emulator = backend.emulator
            let devices = [EmulatedDevice(at: emulator.baseURL), EmulatedDevice(at: emulator.baseURL)]
            // Two tokens for one person may be equal.
            devices[1].browser.answers = [.approve(as: emulator.configuration.google.users[1].id)]
            async let first = devices[0].auth.signIn(with: .google)
            async let second = devices[1].auth.signIn(with: .google)
            _ = try await (first.value, second.value)
            let traces = SignInTrace.all(in: emulator.router.journal.exchanges, emulator.configuration)
            #expect(traces.count == 2)
            for trace in traces {
                #expect(SignInTrace.participants(in: trace.hops) == ["Browser", "Google", "App", "Firebase"])
                #expect(
                    trace.hops.map { "\($0.from) \($0.to) \($0.exchange.entry.path)" } == [
                        "Browser Google /o/oauth2/v2/auth", "Browser Google /emulator/consent", "App Google /token",
                        "App Firebase /v1/accounts:signInWithIdp", "App Firebase /v1/accounts:lookup",
                    ])
            }
            let page = try await Self.page(of: emulator)
            #expect(page.components(separatedBy: "Browser → Google").count == 5)
        }
    }

    /// A request that a server makes for another one stands at the server that makes it.
    @Test func serversThatAskOthersAreNamed() async throws {
        try await EmulatedBackend.run { backend in
            let device = EmulatedDevice(at: backend.emulator.baseURL)
            _ = try await device.auth.signIn(with: .naver).value
            let emulator = backend.emulator
            let trace = try #require(
                SignInTrace.all(in: emulator.router.journal.exchanges, emulator.configuration).first)
            let hops = trace.hops.map { "\($0.from) → \($0.to)" }
            #expect(hops.contains("App → Firebase") && hops.contains("Firebase → Naver"), "\(hops)")
        }
    }

    @Test func clockFaultsAndSessionsAreShown() async throws {
        try await EmulatedBackend.run { backend in
            let emulator = backend.emulator
            _ = try await EmulatedDevice(at: emulator.baseURL).auth.signIn(with: .google).value
            emulator.inject(.status(503), at: .kakaoToken, .always)
            emulator.inject(.onArrival {}, at: .naverUser)
            let page = try await Self.page(of: emulator)
            for text in ["kauth.kakao.com/oauth/token: <code>status 503</code> always", "<code>arrival</code> once"] {
                #expect(page.contains(text))
            }
            #expect(page.components(separatedBy: "Firebase: minji.kim@gmail.example · 1").count == 2)
            #expect(page.contains("the app has access"))
        }
    }
}
