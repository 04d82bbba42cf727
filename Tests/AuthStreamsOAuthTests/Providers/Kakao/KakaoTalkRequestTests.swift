import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsOAuth

struct KakaoTalkRequestTests {
    private let request = KakaoTalkRequest(
        clientID: "a1b2", redirectURI: "kakaoa1b2://oauth", agent: "sdk/1.0.0 os/ios-17.0.0",
        parameters: ["nonce": "n-1", "code_challenge": "c_1", "code_challenge_method": "S256", "prompt": "login"])

    private let query = """
        client_id=a1b2&redirect_uri=kakaoa1b2%3A%2F%2Foauth&response_type=code\
        &headers=%7B%22KA%22%3A%22sdk%2F1.0.0%20os%2Fios-17.0.0%22%7D\
        &params=%7B%22code_challenge%22%3A%22c_1%22%2C%22code_challenge_method%22%3A%22S256%22%2C\
        %22nonce%22%3A%22n-1%22%2C%22prompt%22%3A%22login%22%7D
        """

    @Test func universalLinkWrapsTheCustomScheme() {
        let inner = "kakaokompassauth://authorize?\(query)&deep_link_method=universal_link"
        let wrapped = inner.addingPercentEncoding(
            withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-._~")))
        #expect(
            request.universalLink?.absoluteString == "https://talk-apps.kakao.com/scheme/\(wrapped ?? "")")
    }

    @Test func customSchemeSaysThatBothWaysWereTried() {
        #expect(
            request.customSchemeFallback?.absoluteString
                == "kakaokompassauth://authorize?\(query)&deep_link_method=universal_link%2Curi_scheme")
    }

    @Test func availabilityIsAskedWithTheAppsOwnScheme() {
        #expect(KakaoTalkRequest.availabilityURL.absoluteString == "kakaokompassauth://authorize")
    }

    @Test func agentDescribesTheClientInKakaosWords() {
        #expect(
            KakaoAgent.describe(system: "ios-17.0.0", language: "ko-KR", bundleID: "com.example.my app")
                == "sdk/1.0.0 sdk_type/swift os/ios-17.0.0 lang/ko-KR origin/com.example.my_app")
    }
}
