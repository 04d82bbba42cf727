import AuthStreams
import AuthStreamsOAuth
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsApple

/// The Info.plist that the article 'iOS in ten minutes' shows is the one that the code checks.
struct InfoPlistTests {
    private static let articles = ["IOSInTenMinutes", "IOSInTenMinutesKorean"]

    private func text(of article: String) throws -> String {
        try sourceFile("Sources/AuthStreamsApple/AuthStreamsApple.docc/\(article).md")
    }

    private func propertyList(of article: String) throws -> [String: Any] {
        let text = try text(of: article)
        let block = try #require(text.firstMatch(of: /```xml\n(<\?xml(?:.|\n)*?)```/)?.output.1)
        let list = try PropertyListSerialization.propertyList(from: Data(block.utf8), format: nil)
        return try #require(list as? [String: Any])
    }

    @Test(arguments: articles) func infoPlistIsComplete(article: String) throws {
        let information = AppInformation(try propertyList(of: article))
        #expect(information.hasSceneManifest)
        for callback in [URL(literal: "kakao0123abcd://oauth"), URL(literal: "pulseboard://thirdPartyLoginResult")] {
            #expect(information.missingEntry(toReceive: callback) == nil)
        }
        for app in [KakaoTalkRequest.availabilityURL, NaverAppRequest.availabilityURL] {
            #expect(information.missingEntry(toQuery: app) == nil)
        }
    }

    /// What it adds for UIKit names the delegate of the listing.
    @Test(arguments: articles) func sceneDelegateIsNamed(article: String) throws {
        let text = try text(of: article)
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
