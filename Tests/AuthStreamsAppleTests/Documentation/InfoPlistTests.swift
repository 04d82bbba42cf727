import AuthStreams
import AuthStreamsOAuth
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsApple

/// The Info.plist that the article 'iOS in ten minutes' shows is the one that the code checks.
struct InfoPlistTests {
    private var text: String {
        get throws { try sourceFile("Sources/AuthStreamsApple/AuthStreamsApple.docc/IOSInTenMinutes.md") }
    }

    @Test func infoPlistIsComplete() throws {
        let block = try #require(text.firstMatch(of: /```xml\n(<\?xml(?:.|\n)*?)```/)?.output.1)
        let list = try PropertyListSerialization.propertyList(from: Data(block.utf8), format: nil)
        let information = AppInformation(try #require(list as? [String: Any]))
        #expect(information.hasSceneManifest)
        for callback in [URL(literal: "kakao0123abcd://oauth"), URL(literal: "pulseboard://thirdPartyLoginResult")] {
            #expect(information.missingEntry(toReceive: callback) == nil)
        }
        for app in [KakaoTalkRequest.availabilityURL, NaverAppRequest.availabilityURL] {
            #expect(information.missingEntry(toQuery: app) == nil)
        }
    }

    /// What it adds for UIKit names the delegate of the listing.
    @Test func sceneDelegateIsNamed() throws {
        let text = try text
        let block = try #require(
            text.firstMatch(of: /```xml\n(<key>UIApplicationSceneManifest(?:.|\n)*?)```/)?.output.1)
        let xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist version=\"1.0\"><dict>\(block)</dict></plist>"
        let list = try PropertyListSerialization.propertyList(from: Data(xml.utf8), format: nil) as? [String: Any]
        let manifest = try #require(list?["UIApplicationSceneManifest"] as? [String: Any])
        let roles = try #require(manifest["UISceneConfigurations"] as? [String: [[String: String]]])
        let delegates = roles["UIWindowSceneSessionRoleApplication"]?.map { $0["UISceneDelegateClassName"] }
        #expect(delegates == ["$(PRODUCT_MODULE_NAME).SceneDelegate"])
        #expect(text.contains("final class SceneDelegate"))
        #expect(AppInformation(list ?? [:]).hasSceneManifest)
    }
}
