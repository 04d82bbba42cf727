import AuthStreams
import AuthStreamsTesting
import Foundation
import LoopbackHTTP
import TestSupport
import Testing

/// Providers report the end of a link to the app's server.
@Suite(.limitedParallelization) struct WebhookTests {
    /// A server of an app in development, and what it was sent.
    private final class AppServer: Sendable {
        private let received = Lock<[LoopbackRequest]>([])
        private let server: LoopbackServer

        init(_ answer: @escaping @Sendable () async -> LoopbackResponse) throws {
            let received = received
            server = try LoopbackServer.start { request in
                received.withLock { $0.append(request) }
                return await answer()
            }
        }

        deinit { server.stop() }

        var requests: [LoopbackRequest] { received.withLock { $0 } }
        var address: String { "http://127.0.0.1:\(server.port)/unlink?from=provider" }
    }

    private static func signIn(_ wire: Wire, _ provider: ProviderID) async throws {
        if provider == .kakao {
            _ = try await EmulatedCredentials(at: wire.emulator).get(\.kakao)
        } else {
            let naver = wire.configuration.naver
            let app = try await wire.post(
                "https://nid.naver.com/emulator/app-code",
                [
                    "client_id": naver.clientID, "callback_scheme": naver.urlScheme, "response_type": "code",
                    "decision": "approve",
                ])
            let tokens = try await wire.post(
                "https://nid.naver.com/oauth2.0/token",
                [
                    "grant_type": "authorization_code", "client_id": naver.clientID,
                    "client_secret": naver.clientSecret, "code": try Callback(app["redirect"] ?? "")["authCode"],
                ])
            #expect(tokens["access_token"] != nil)
        }
    }

    // MARK: Kakao

    @Test(
        arguments: [
            (.get, .accountDeletion, "ACCOUNT_DELETE"), (.post, .accountDeletion, "ACCOUNT_DELETE"),
            (.post, .forcedAccountDeletion, "FORCED_ACCOUNT_DELETE"), (.get, .accountSettings, "UNLINK_FROM_APPS"),
            (.post, .customerService, "UNLINK_FROM_ADMIN"), (.post, .incompleteSignUp, "INCOMPLETE_SIGN_UP"),
        ] as [(AuthHTTPRequest.Method, EmulatedKakao.Referrer, String)])
    func kakaoSendsTheKeyAndThreeFields(
        method: AuthHTTPRequest.Method, referrer: EmulatedKakao.Referrer, name: String
    ) async throws {
        let server = try AppServer { LoopbackResponse(status: 200) }
        var configuration = EmulatorConfiguration()
        (configuration.kakao.unlinkWebhook, configuration.kakao.unlinkWebhookMethod) = (server.address, method)
        try await withEmulator(configuration) { emulator in
            try await Self.signIn(Wire(emulator), .kakao)
            #expect(await emulator.kakao.unlink("1001", by: referrer) == 200)
            #expect(!emulator.kakao.isLinked("1001") && !emulator.grantsAccess(at: .kakao, to: "1001"))
            let request = try #require(server.requests.first)
            #expect(server.requests.count == 1 && request.method == method.rawValue)
            #expect(request.header("Authorization") == "KakaoAK \(configuration.kakao.adminKey)")
            let fields = method == .get ? Array(request.queryItems.dropFirst()) : request.formItems
            #expect(
                fields.map { "\($0.name)=\($0.value)" } == [
                    "app_id=1234567", "user_id=1001", "referrer_type=\(name)",
                ])
            #expect(request.queryItems.first?.name == "from")
        }
    }

    @Test func kakaoReportsNoUnlinkOfTheApp() async throws {
        let server = try AppServer { LoopbackResponse(status: 200) }
        var configuration = EmulatorConfiguration()
        configuration.kakao.unlinkWebhook = server.address
        try await withEmulator(configuration) { emulator in
            let (wire, unlink) = (Wire(emulator), "https://kapi.kakao.com/v1/user/unlink")
            let token = try await EmulatedCredentials(at: emulator).get(\.kakao).accessToken
            #expect(try await wire.post(unlink, bearer: token?.reveal()).status == 200)
            try await Self.signIn(wire, .kakao)
            let key = "KakaoAK \(configuration.kakao.adminKey)"
            let byKey = try await wire.post(
                unlink, ["target_id_type": "user_id", "target_id": "1001"], headers: [.authorization: key])
            #expect(byKey.status == 200 && !emulator.kakao.isLinked("1001"))
            #expect(server.requests.isEmpty)
        }
    }

    @Test func kakaoWaitsThreeSecondsAndFollowsNoRedirect() async throws {
        let clock = ManualClock()
        let gate = Promise<Void>()
        let late = try AppServer {
            _ = await gate.value()
            return LoopbackResponse(status: 200)
        }
        var configuration = EmulatorConfiguration(clock: clock.authClock(startingAt: Date()))
        configuration.kakao.unlinkWebhook = late.address
        try await withEmulator(configuration) { emulator in
            emulator.kakao.link("1001")
            async let answer = emulator.kakao.unlink("1001")
            await clock.waitForSleepers(count: 1)
            clock.advance(by: .milliseconds(2_999))
            #expect(clock.advanceToNextSleeper() == .milliseconds(1))
            #expect(await answer == nil)
        }
        gate.resolve(())
        let moved = try AppServer { .redirect(to: "/elsewhere") }
        configuration.kakao.unlinkWebhook = moved.address
        try await withEmulator(configuration) { emulator in
            emulator.kakao.link("1001")
            #expect(await emulator.kakao.unlink("1001") == 303)
            #expect(moved.requests.map(\.path) == ["/unlink"])
        }
    }

    @Test func kakaosDailyJobReportsAllPeopleAtOnce() async throws {
        let (count, both) = (Lock(0), Promise<Void>())
        // No report is answered before all were sent.
        let server = try AppServer {
            if count.withLock({ count in
                count += 1
                return count == 2
            }) {
                both.resolve(())
            }
            _ = await both.value()
            return LoopbackResponse(status: 200)
        }
        let clock = ManualClock()
        var configuration = EmulatorConfiguration(at: clock)
        configuration.kakao.unlinkWebhook = server.address
        try await withEmulator(configuration) { emulator in
            for user in ["1001", "1002"] { emulator.kakao.link(user) }
            clock.advance(by: .seconds(86_401))
            #expect(await emulator.kakao.unlinkIncompleteSignUps() == ["1001", "1002"])
            let reports = server.requests.map { $0.formItems.map(\.value) }
            #expect(reports.allSatisfy { $0.last == "INCOMPLETE_SIGN_UP" })
            #expect(Set(reports.map { $0.dropFirst().first }) == ["1001", "1002"])
            #expect(await emulator.kakao.unlinkIncompleteSignUps() == [] && server.requests.count == 2)
        }
    }

    // MARK: Apple

    @Test func appleReportsTheHiddenAddress() async throws {
        let server = try AppServer { LoopbackResponse(status: 200) }
        var configuration = EmulatorConfiguration()
        configuration.apple.notificationURLs = [server.address]
        let user = configuration.apple.users[0]
        try await withEmulator(configuration) { emulator in
            for choice in ["share", "hide"] {
                await emulator.apple.revokeConsent(of: user.id)
                let sheet = try await Wire(emulator).post(
                    "https://appleid.apple.com/emulator/sheet",
                    ["client_id": configuration.apple.bundleID, "scope": "email", "email": choice])
                #expect((sheet["email"] == user.email) == (choice == "share"))
                let notification = AppleNotification(.emailDisabled, of: user.id, at: Date())
                #expect(await emulator.apple.send(notification) == [200])
                let request = try #require(server.requests.last)
                #expect(request.header("Content-Type") == "application/json")
                let payload = try #require(AuthJSON(json: request.body)?["payload"]?.string)
                let events = try #require(JSONWebToken(Secret(payload))).claims["events"]?.string ?? ""
                #expect(AuthJSON(json: Data(events.utf8))?["email"]?.string == sheet["email"])
            }
        }
    }

    @Test func appleDoesNotWaitForOneAddressBeforeTheNext() async throws {
        let gate = Promise<Void>()
        let first = try AppServer {
            _ = await gate.value()
            return LoopbackResponse(status: 200)
        }
        let second = try AppServer {
            gate.resolve(())
            return LoopbackResponse(status: 204)
        }
        var configuration = EmulatorConfiguration()
        configuration.apple.notificationURLs = [first.address, second.address]
        let user = configuration.apple.users[0].id
        try await withEmulator(configuration) { emulator in
            #expect(await emulator.apple.revokeConsent(of: user) == [200, 204])
        }
    }

    // MARK: Naver

    @Test func naverSendsAFormThatItsSecretExplains() async throws {
        let server = try AppServer { LoopbackResponse(status: 204) }
        var configuration = EmulatorConfiguration()
        configuration.naver.unlinkCallback = server.address
        try await withEmulator(configuration) { emulator in
            let wire = Wire(emulator)
            try await Self.signIn(wire, .naver)
            #expect(await emulator.naver.unlink("naver-1001") == 204)
            #expect(!emulator.grantsAccess(at: .naver, to: "naver-1001"))
            let request = try #require(server.requests.first)
            #expect(server.requests.count == 1 && request.method == "POST" && request.queryItems.count == 1)
            let notice = try NaverNotice(request.formItems, secret: configuration.naver.clientSecret)
            #expect(notice.userID == "naver-1001")
        }
    }

    @Test func naverWithoutAnAddressSendsNothing() async throws {
        try await withEmulator { emulator in
            try await Self.signIn(Wire(emulator), .naver)
            #expect(await emulator.naver.unlink("naver-1001") == nil)
            #expect(!emulator.grantsAccess(at: .naver, to: "naver-1001"))
            #expect(!emulator.journal.entries.contains { $0.caller == .service })
        }
    }

    // MARK: All

    @Test func personWithoutALinkIsNotReported() async throws {
        let server = try AppServer { LoopbackResponse(status: 200) }
        var configuration = EmulatorConfiguration()
        (configuration.kakao.unlinkWebhook, configuration.naver.unlinkCallback) = (server.address, server.address)
        try await withEmulator(configuration) { emulator in
            #expect(await emulator.kakao.unlink("1001") == nil)
            #expect(await emulator.naver.unlink("naver-1001") == nil)
            #expect(server.requests.isEmpty)
        }
    }

    /// Host, the button's value and the report's last field.
    private static let pages: [(ProviderID, String, String, String)] = [
        (.kakao, "kauth.kakao.com", "ACCOUNT_DELETE", "referrer_type"),
        (.naver, "nid.naver.com", "unlink", "signature"),
    ]

    @Test func personStopsUsingTheAppOnAPage() async throws {
        for (provider, host, event, field) in Self.pages {
            let server = try AppServer { LoopbackResponse(status: 204) }
            var configuration = EmulatorConfiguration()
            (configuration.kakao.unlinkWebhook, configuration.naver.unlinkCallback) = (server.address, server.address)
            try await withEmulator(configuration) { emulator in
                let wire = Wire(emulator)
                try await Self.signIn(wire, provider)
                let page = try await wire.get("https://\(host)/emulator/account")
                let answer = try await wire.answer(page, event)
                #expect(answer.text.contains("\(event). Answers: 204."))
                #expect(server.requests.first?.formItems.last?.name == field)
                let user = provider == .kakao ? "1001" : "naver-1001"
                #expect(!emulator.grantsAccess(at: provider, to: user))
                let forms: [[String: String?]] = [["event": event, "user": "9"], ["event": "unknown", "user": user]]
                for form in forms {
                    let unknown = try await wire.post("https://\(host)/emulator/account", form)
                    #expect(unknown.status == 400 && server.requests.count == 1)
                }
            }
        }
    }

    @Test func emulatedServerIsCalledToo() async throws {
        var configuration = EmulatorConfiguration()
        // The name of a host is the same in capitals.
        configuration.kakao.unlinkWebhook = "https://API.PulseBoard.example/kakao?from=provider"
        configuration.kakao.unlinkWebhookMethod = .get
        try await withEmulator(configuration) { emulator in
            emulator.inject(.status(200), at: "api.pulseboard.example/kakao")
            for status in [200, 404] {
                emulator.kakao.link("1001")
                #expect(await emulator.kakao.unlink("1001") == status)
            }
            #expect(emulator.journal.entries.map(\.caller) == [.service, .service])
        }
    }

    @Test(arguments: ["unlink", "ftp://app.example/unlink", "http:///unlink", ""])
    func addressThatCannotBeCalledIsAnErrorAtTheStart(address: String) throws {
        var (apple, kakao, naver) = (EmulatorConfiguration(), EmulatorConfiguration(), EmulatorConfiguration())
        apple.apple.notificationURLs.append(address)
        kakao.kakao.unlinkWebhook = address
        naver.naver.unlinkCallback = address
        for configuration in [apple, kakao, naver] {
            let error = #expect(throws: AuthError.self) { try Emulator.start(configuration).stop() }
            #expect(error?.code == .misconfigured && "\(error as Any)".contains("'\(address)'"))
        }
    }
}
