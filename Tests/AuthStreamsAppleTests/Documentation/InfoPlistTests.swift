import AuthStreams
import AuthStreamsOAuth
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsApple

/// The Info.plist that the article 'iOS in ten minutes' shows is the one that the code checks.
struct InfoPlistTests {
    private func article() throws -> String {
        try sourceFile("Sources/AuthStreamsApple/AuthStreamsApple.docc/IOSInTenMinutes.md")
    }

    private func propertyList() throws -> [String: Any] {
        let text = try article()
        let block = try #require(text.firstMatch(of: /```xml\n(<\?xml(?:.|\n)*?)```/)?.output.1)
        let list = try PropertyListSerialization.propertyList(from: Data(block.utf8), format: nil)
        return try #require(list as? [String: Any])
    }

    @Test func infoPlistIsComplete() throws {
        let information = AppInformation(try propertyList())
        #expect(information.hasSceneManifest)
        for callback in [URL(literal: "kakao0123abcd://oauth"), URL(literal: "pulseboard://thirdPartyLoginResult")] {
            #expect(information.missingEntry(toReceive: callback) == nil)
        }
        for app in [KakaoTalkRequest.availabilityURL, NaverAppRequest.availabilityURL] {
            #expect(information.missingEntry(toQuery: app) == nil)
        }
    }
}
