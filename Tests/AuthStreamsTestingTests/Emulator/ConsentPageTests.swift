import AuthStreams
import Foundation
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

    @Test func aFormThatNobodyWasShownIsRefused() async throws {
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
