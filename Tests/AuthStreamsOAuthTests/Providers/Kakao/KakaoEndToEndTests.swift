import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// Kakao by real HTTP against the emulator, which is as strict as Kakao.
@MainActor
@Suite(.limitedParallelization) struct KakaoEndToEndTests {
    @Test func talkGivesAnIDTokenThatIsBoundToTheAttempt() async throws {
        try await EmulatedPhone.run { phone in
            phone.device.kakaoTalk = .approve(as: "1002")
            let credential = try await phone.credential(phone.kakao())
            #expect(credential.userID == "1002")
            let claims = try #require(credential.idToken.flatMap { JSONWebToken($0) }).claims
            #expect(claims["nonce"]?.string == credential.rawNonce?.reveal())
            #expect(claims["aud"]?.string == phone.emulator.configuration.kakao.nativeAppKey)
            #expect(credential.accessToken != nil)
            #expect(credential.authorizationCode == nil)
            #expect(phone.device.refusals.isEmpty)
            #expect(phone.device.visits == [.kakaoTalk: 1])
            #expect(phone.steps.steps == [.waitingForOtherApp, .exchanging])
            #expect(
                phone.requests.prefix(2) == [
                    "POST talk-apps.kakao.com/emulator/code", "POST kauth.kakao.com/oauth/token",
                ])
        }
    }

    /// Another app may have claimed the scheme, and would receive challenge and nonce.
    @Test func talkThatTakesNoUniversalLinkIsNotOpenedByItsScheme() async throws {
        try await EmulatedPhone.run { phone in
            phone.device.takesUniversalLinks = false
            let credential = try await phone.credential(phone.kakao())
            #expect(credential.userID == "1001" && credential.isBound)
            #expect(!phone.device.opened.contains { $0.scheme == "kakaokompassauth" })
            #expect(phone.steps.steps == [.presenting, .exchanging])
        }
    }

    @Test func talkIsOpenedByItsSchemeWhereTheAppChoseThat() async throws {
        try await EmulatedPhone.run { phone in
            phone.device.takesUniversalLinks = false
            let credential = try await phone.credential(phone.kakao { $0.allowsCustomScheme = true })
            #expect(credential.userID == "1001" && !credential.isBound)
            #expect(phone.device.refusals.isEmpty)
            #expect(phone.device.opened.map(\.scheme) == ["https", "kakaokompassauth"])
        }
    }

    @Test(arguments: [AuthRequest.Purpose.link, .reauthenticate])
    func linkingNeverUsesTheScheme(purpose: AuthRequest.Purpose) async throws {
        try await EmulatedPhone.run { phone in
            let kakao = phone.kakao { $0.allowsCustomScheme = true }
            phone.device.takesUniversalLinks = false
            #expect(try await phone.credential(kakao, AuthRequest(purpose: purpose)).isBound)
            let error = try await phone.failure(kakao, AuthRequest(purpose: purpose, methodKind: .app))
            #expect(error.code == .appUnavailable)
            #expect(!phone.device.opened.contains { $0.scheme == "kakaokompassauth" })

            phone.device.takesUniversalLinks = true
            #expect(try await phone.credential(kakao, AuthRequest(purpose: purpose, methodKind: .app)).isBound)
        }
    }

    @Test func accountPageServesAPhoneWithoutTalk() async throws {
        try await EmulatedPhone.run { phone in
            phone.device.installed = []
            let credential = try await phone.credential(phone.kakao())
            #expect(credential.userID == "1001")
            #expect(credential.rawNonce != nil)
            #expect(phone.steps.steps == [.presenting, .exchanging])
        }
    }

    @Test func accountPageServesWhereNobodyIsSignedInToTalk() async throws {
        try await EmulatedPhone.run { phone in
            phone.device.kakaoTalk = .notSignedIn
            let credential = try await phone.credential(phone.kakao())
            #expect(credential.userID == "1001")
            #expect(phone.steps.steps == [.waitingForOtherApp, .presenting, .exchanging])
        }
    }

    @Test func scopesStillGiveAnIDToken() async throws {
        try await EmulatedPhone.run { phone in
            let credential = try await phone.credential(phone.kakao(), AuthRequest(extraScopes: ["account_email"]))
            #expect(credential.idToken != nil)
            #expect(phone.device.visits.isEmpty)
        }
    }

    @Test func withoutOpenIDConnectTheAccessTokenIsTheCredential() async throws {
        try await EmulatedPhone.run { phone in
            let credential = try await phone.credential(phone.kakao { $0.usesOpenIDConnect = false })
            #expect(credential.accessToken != nil)
            #expect(credential.idToken == nil)
            #expect(credential.rawNonce == nil)
        }
    }

    @Test(arguments: [
        (EmulatedApps.UserAction.deny, AuthError.Code.accessDenied), (.cancel, .cancelled),
    ])
    func noInTalkIsFinal(action: EmulatedApps.UserAction, code: AuthError.Code) async throws {
        try await EmulatedPhone.run { phone in
            phone.device.kakaoTalk = action
            let error = try await phone.failure(phone.kakao())
            #expect(error.code == code)
            #expect(phone.browser.visits.isEmpty)
        }
    }

    @Test func denialOnThePageIsAccessDenied() async throws {
        try await EmulatedPhone.run { phone in
            phone.device.installed = []
            phone.browser.answers = [.deny]
            let error = try await phone.failure(phone.kakao())
            #expect(error.code == .accessDenied)
            #expect(error.step == .presenting)
        }
    }

    @Test func comingBackFromTalkWithoutAnAnswerIsAbandoned() async throws {
        try await EmulatedPhone.run { phone in
            phone.device.kakaoTalk = .comeBackWithoutAnswer
            async let error = phone.failure(phone.kakao())
            await phone.clock.waitForSleepers(count: 2)
            phone.clock.advance(by: .seconds(1))
            let code = try await error.code
            #expect(code == .abandoned)
        }
    }

    @Test func appKeyThatKakaoDoesNotKnowIsNoAppThatIsNotInstalled() async throws {
        try await EmulatedPhone.run { phone in
            let warnings = Lock([AuthError]())
            let unknown = phone.kakao { $0.nativeAppKey = "deadbeef" }
            let alone = try await phone.failure(unknown, AuthRequest(methodKind: .app))
            #expect(alone.code == .misconfigured && alone.serverCode == "KOE101")
            phone.browser.answers = [.close]
            let request = AuthRequest(onWarning: { error in warnings.withLock { $0.append(error) } })
            async let error = phone.failure(unknown, request)
            // The page's own wait, not KakaoTalk's.
            try await wait(for: "KakaoTalk's refusal to be reported") { warnings.withLock { !$0.isEmpty } }
            await phone.clock.waitForSleepers(count: 2)
            phone.clock.advance(by: .seconds(1))
            let code = try await error.code
            #expect(code == .abandoned, "Kakao's page says it to the person, and to the app nothing.")
            #expect(warnings.withLock { $0.map(\.serverCode) } == ["KOE101"])
        }
    }

    @Test func bundleThatKakaoDoesNotKnowSaysWhatToRegister() async throws {
        try await EmulatedPhone.run { phone in
            let error = try await phone.failure(phone.kakao { $0.bundleID = "com.example.other" })
            #expect(error.code == .misconfigured)
            #expect(error.serverCode == "KOE009")
            #expect(error.step == .exchanging)
            #expect(error.explanation.contains("bundle id"))
        }
    }

    @Test(arguments: [
        (EmulatorFault.wrongNonce, AuthError.Code.nonceMismatch), (.wrongAudience, .invalidIDToken),
        (.wrongIssuer, .issuerMismatch), (.expiredToken, .invalidIDToken),
        (.unsignedToken, .invalidIDToken), (.status(503), .server), (.html, .invalidResponse),
        (.empty, .invalidResponse),
        (.malformedJSON, .invalidResponse), (.truncated(afterBytes: 5), .network),
        (.rateLimited(retryAfter: .seconds(3)), .rateLimited), (.oversized(bytes: 10 << 20), .invalidResponse),
    ])
    func spoiledTokenAnswerEndsTheAttempt(fault: EmulatorFault, code: AuthError.Code) async throws {
        try await EmulatedPhone.run { phone in
            phone.emulator.inject(fault, at: .kakaoToken)
            let error = try await phone.failure(phone.kakao())
            #expect(error.code == code)
            #expect(error.step == .exchanging)
            #expect(error.provider == .kakao)
        }
    }

    @Test(.enabled(if: Signatures.isAvailable)) func tokenWithAnotherSignatureIsRefused() async throws {
        try await EmulatedPhone.run { phone in
            phone.emulator.inject(.wrongSignature, at: .kakaoToken)
            let error = try await phone.failure(phone.kakao())
            #expect(error.code == .invalidIDToken)
        }
    }
}
