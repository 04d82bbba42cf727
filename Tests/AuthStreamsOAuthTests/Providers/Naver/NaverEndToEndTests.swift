import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// Naver by real HTTP against the emulator; the code is redeemed the way a server does, to see that it works.
@MainActor
@Suite(.limitedParallelization) struct NaverEndToEndTests {
    @Test func codeOfTheAppCanBeRedeemedByTheServer() async throws {
        try await EmulatedPhone.run { phone in
            phone.device.naver = .approve(as: "naver-1002")
            let credential = try await phone.credential(phone.naver())
            let code = try #require(credential.authorizationCode)
            #expect(code.redirectURI == nil)
            #expect(credential.idToken == nil && credential.accessToken == nil)
            #expect(phone.requests == ["POST nid.naver.com/emulator/app-code"])
            #expect(phone.steps.steps == [.waitingForOtherApp])
            #expect(phone.device.refusals.isEmpty)
            let isRedeemedOnce = try await isRedeemed(code, phone)
            let isRedeemedAgain = try await isRedeemed(code, phone)
            #expect(isRedeemedOnce)
            #expect(!isRedeemedAgain)
        }
    }

    @Test func codeOfThePageCanBeRedeemedWithItsState() async throws {
        try await EmulatedPhone.run { phone in
            phone.device.installed = [.kakaoTalk]
            let code = try #require(try await phone.credential(phone.naver()).authorizationCode)
            #expect(code.state != nil)
            #expect(code.redirectURI?.absoluteString == "authstreamsnaver://authorize")
            #expect(phone.steps.steps == [.presenting])
            #expect(!phone.requests.contains("POST nid.naver.com/oauth2.0/token"))
            let isRedeemed = try await isRedeemed(code, phone)
            #expect(isRedeemed)
        }
    }

    @Test func pageServesWhereTheAppFails() async throws {
        try await EmulatedPhone.run { phone in
            phone.device.naver = .notSignedIn
            _ = try await phone.credential(phone.naver())
            #expect(phone.steps.steps == [.waitingForOtherApp, .presenting])
        }
    }

    @Test(arguments: [EmulatedApps.UserAction.deny, .cancel])
    func noInTheAppIsACancel(action: EmulatedApps.UserAction) async throws {
        try await EmulatedPhone.run { phone in
            phone.device.naver = action
            let error = try await phone.failure(phone.naver())
            #expect(error.code == .cancelled)
            #expect(error.serverCode == "2")
            #expect(phone.browser.visits.isEmpty)
        }
    }

    @Test func noOnThePageIsACancel() async throws {
        try await EmulatedPhone.run { phone in
            phone.browser.answers = [.deny]
            let error = try await phone.failure(phone.naver { $0.mode = .browserOnly })
            #expect(error.code == .cancelled)
            #expect(error.serverCode == "access_denied")
        }
    }

    @Test func clientThatNaverDoesNotKnowIsRefusedByTheApp() async throws {
        try await EmulatedPhone.run { phone in
            let error = try await phone.failure(
                phone.naver {
                    $0.clientID = "nobody"
                    $0.mode = .appOnly
                })
            // The emulated app does not open for a client it does not know.
            #expect(error.code == .appUnavailable)
            #expect(phone.device.refusals == ["naver's server answered 400: unauthorized_client."])
        }
    }

    @Test func comingBackFromTheAppWithoutAnAnswerIsAbandoned() async throws {
        try await EmulatedPhone.run { phone in
            phone.device.naver = .comeBackWithoutAnswer
            async let error = phone.failure(phone.naver())
            await phone.clock.waitForSleepers(count: 2)
            phone.clock.advance(by: .seconds(1))
            let code = try await error.code
            #expect(code == .abandoned)
        }
    }

    /// Redeems a code as the app's server does, with the secret that only it has.
    private func isRedeemed(_ code: Credential.AuthorizationCode, _ phone: EmulatedPhone) async throws -> Bool {
        let app = phone.emulator.configuration.naver
        var form = [
            ("grant_type", "authorization_code"), ("client_id", app.clientID), ("client_secret", app.clientSecret),
            ("code", code.code.reveal()),
        ]
        if let state = code.state { form.append(("state", state.reveal())) }
        let response = try await phone.transport.send(
            AuthHTTPRequest(
                .post, phone.emulator.url(for: "https://nid.naver.com/oauth2.0/token"),
                headers: [.contentType: FormCoding.contentType], body: Data(FormCoding.encode(form).utf8)))
        return try JSONDecoder().decode(AuthJSON.self, from: response.body)["access_token"] != nil
    }
}
