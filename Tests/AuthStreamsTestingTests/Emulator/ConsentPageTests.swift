import AuthStreams
import Foundation
import LoopbackHTTP
import Testing

@testable import AuthStreamsTesting

@Suite struct ConsentPageTests {
    private static let authorize = "https://kauth.kakao.com/oauth/authorize"
    private static let consent = "https://kauth.kakao.com/emulator/consent"

    private static func page(_ wire: Wire, _ changes: [String: String?] = [:]) async throws -> AuthHTTPResponse {
        let kakao = wire.configuration.kakao
        let request: [String: String?] = [
            "client_id": kakao.nativeAppKey, "redirect_uri": kakao.nativeRedirectURI, "response_type": "code",
        ]
        return try await wire.get(authorize, request.with(changes))
    }

    private static func ticket(_ page: AuthHTTPResponse) throws -> String {
        let form = try #require(HTMLPage(page.text).forms.first)
        return try #require(form.controls.first { $0.name == "ticket" }?.value)
    }

    @Test func everyAccountCanBeChosenAndOneIs() async throws {
        try await withEmulator { emulator in
            let page = try await Self.page(Wire(emulator))
            let form = try #require(HTMLPage(page.text).forms.first)
            let radios = form.controls.filter { $0.name == "user" }
            #expect(radios.map(\.value) == ["1001", "1002"])
            #expect(radios.map { $0.kind == .radio(isChecked: true) } == [true, false])
            #expect(form.buttons.map(\.value) == ["approve", "deny"])
            #expect(form.isPost)
        }
    }

    @Test func aHintChoosesTheAccount() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let page = try await Self.page(wire, ["login_hint": "alex@kakao.example"])
            let form = try #require(HTMLPage(page.text).forms.first)
            #expect(form.controls.first { $0.kind == .radio(isChecked: true) }?.value == "1002")
        }
    }

    @Test func aPageIsAnsweredOnce() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let page = try await Self.page(wire)
            _ = try await wire.approve(page)
            #expect(try await wire.answer(page, "approve").isDeadEnd)
        }
    }

    @Test func formWithoutAPageIsRefused() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let ticket = try Self.ticket(try await Self.page(wire))
            let form: [String: String?] = ["ticket": ticket, "user": "1001", "decision": "approve"]
            for changes in [["ticket": "guessed"], ["user": "9999"], ["user": nil], ["decision": "maybe"]] {
                #expect(try await wire.post(Self.consent, form.with(changes)).isDeadEnd)
            }
            // A mistake does not use the page up.
            #expect(try await wire.post(Self.consent, form).status == 303)
        }
    }

    @Test func aPageOfOneServiceIsNoAnswerToAnother() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let ticket = try Self.ticket(try await Self.page(wire))
            let form: [String: String?] = [
                "ticket": ticket, "user": emulator.configuration.google.users[0].id, "decision": "approve",
            ]
            #expect(try await wire.post("https://accounts.google.com/emulator/consent", form).isDeadEnd)
        }
    }

    /// A page at which the app asks for all that the console offers.
    private static let all = ["scope": "profile_nickname,account_email,profile_image"]

    /// The scopes that a page asks an account for, and whether their boxes are checked.
    private static func boxes(_ page: AuthHTTPResponse, of user: String) throws -> [String: Bool] {
        let form = try #require(HTMLPage(page.text).forms.first)
        return form.controls.reduce(into: [:]) { boxes, box in
            guard case .checkbox(let isChecked) = box.kind, box.value.hasPrefix("\(user) ") else { return }
            boxes[String(box.value.dropFirst(user.count + 1))] = isChecked
        }
    }

    @Test func aRequiredScopeIsTextAndEachOtherOneACheckedBox() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let page = try await Self.page(wire, Self.all)
            #expect(try Self.boxes(page, of: "1001") == ["account_email": true, "profile_image": true])
            #expect(page.text.contains("It asks for: profile_nickname<"))
            let tokens = try await wire.kakaoTokens(try await wire.approve(page)["code"])
            #expect(tokens["scope"] == "account_email profile_image profile_nickname")
        }
    }

    @Test func aScopeThatIsLeftOutIsNotGranted() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let page = try await Self.page(wire, Self.all)
            // What another account would agree to counts for nothing.
            let callback = try await wire.approve(page, user: "1002", without: ["account_email"])
            #expect(try await wire.kakaoTokens(callback["code"])["scope"] == "profile_image profile_nickname")
            let link = Consents.LinkID.kakao("1002", emulator.configuration.kakao.appID)
            let known = emulator.router.world.grants.consents { $0[link] }
            #expect(known?.agreed == ["profile_image", "profile_nickname"] && known?.refused == ["account_email"])
        }
    }

    @Test func anAccountIsAskedOnlyForWhatIsMissing() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let first = try await wire.approve(try await Self.page(wire, Self.all), without: ["account_email"])
            #expect(try await wire.kakaoTokens(first["code"]).status == 200)
            #expect(try Self.boxes(try await Self.page(wire, Self.all), of: "1001") == ["account_email": true])
            // A request that names no scope does not ask again for what was left out, and does not get it.
            let plain = try await Self.page(wire)
            #expect(try Self.boxes(plain, of: "1001").isEmpty)
            #expect(try Self.boxes(plain, of: "1002").count == 2)
            let again = try await wire.kakaoTokens(try await wire.approve(plain)["code"])
            #expect(again["scope"] == "openid profile_image profile_nickname")
            let named = try await wire.approve(try await Self.page(wire, Self.all))
            let all = try await wire.kakaoTokens(named["code"])
            #expect(all["scope"] == "account_email profile_image profile_nickname")
            #expect(try Self.boxes(try await Self.page(wire, Self.all), of: "1001").isEmpty)
        }
    }

    @Test func answerCountsForWhatItsOwnPageAskedFor() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let (first, second) = (try await Self.page(wire, Self.all), try await Self.page(wire, Self.all))
            _ = try await wire.kakaoTokens(try await wire.approve(first)["code"])
            let answer = try await wire.kakaoTokens(try await wire.approve(second, without: ["account_email"])["code"])
            #expect(answer["scope"] == "profile_image profile_nickname")
        }
    }

    @Test func aPageThatAsksForEverythingAgainShowsWhatWasLeftOut() async throws {
        try await withEmulator { emulator in
            let (context, scopes) = (emulator.router.context, Set(["a", "b", "c"]))
            let user = emulator.configuration.naver.users[0]
            var pending = PendingAuthorization(
                issuer: .naver, clientID: "client", redirectURI: "", scopes: scopes, optional: ["b", "c"])
            let first = pending.answered(by: user, refusing: { $0 == "b" }, context).grant(userID: user.id, context)
            let link = context.link(of: first)
            #expect(context.grants.consents { $0.record(first, as: link, at: context.now) })
            #expect(!context.grants.consents { $0.record(first, as: link, at: context.now) })
            pending.question = .everything
            let page = AuthHTTPResponse(status: 200, body: context.ask(pending, .naver, [user]).body)
            let boxes = try Self.boxes(page, of: user.id)
            #expect(boxes == ["b": false, "c": true])
            let second = pending.answered(by: user, refusing: { $0 == "c" }, context).grant(userID: user.id, context)
            _ = context.grants.consents { $0.record(second, as: link, at: context.now) }
            #expect(context.grants.consents { $0[link]?.agreed } == ["a", "b"])
            context.grants.revokeAll(of: link)
            #expect(context.grants.consents { $0[link] == nil })
        }
    }

    @Test func whatComesFromOutsideIsEscaped() async throws {
        var configuration = EmulatorConfiguration()
        configuration.appName = #"<script>alert("1")</script>"#
        configuration.kakao.users[0].name = "a\"><b>"
        try await withEmulator(configuration) { emulator in
            let page = try await Self.page(Wire(emulator))
            #expect(!page.text.contains("<script>"))
            #expect(!page.text.contains("\"><b>"))
            #expect(page.text.contains("&lt;script&gt;"))
        }
    }

    @Test func aConsentPageIsNotKeptByTheBrowser() async throws {
        try await withEmulator { emulator in
            let page = try await Self.page(Wire(emulator))
            #expect(page.headers["cache-control"] == "no-store")
        }
    }
}
