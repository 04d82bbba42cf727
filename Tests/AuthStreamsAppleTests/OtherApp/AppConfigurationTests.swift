import AuthStreams
import Foundation
import TestSupport
import Testing
import UIKit

@testable import AuthStreamsApple

/// What an app lacks to open another one and to get its answer is named, before the other app opens.
@Suite(.appleDevice) @MainActor struct AppConfigurationTests {
    private let talk = URL(literal: "kakaokompassauth://authorize")
    private let callback = URL(literal: "kakao1://oauth")

    private func failure(
        _ information: AppInformation, toOpen url: URL? = nil, answeringAt callback: URL? = nil,
        in bundle: Bundle = .main
    ) -> AuthError? {
        let opener = SystemApplicationOpener(information, in: bundle)
        do throws(AuthError) {
            try opener.validateConfiguration(toOpen: url ?? talk, answeringAt: callback ?? self.callback)
            return nil
        } catch { return error }
    }

    @Test func completeAppLacksNothing() {
        #expect(failure(.forKakao) == nil)
        #expect(failure(AppInformation(schemes: ["other", "KAKAO1"], queries: ["KakaoKompassAuth"])) == nil)
    }

    @Test func missingCallbackSchemeIsNamed() throws {
        let error = try #require(failure(AppInformation(schemes: ["kakao2"], queries: ["kakaokompassauth"])))
        #expect(error.code == .misconfigured && !error.isUserCancellation)
        #expect(error.explanation.contains("CFBundleURLTypes lacks the scheme 'kakao1'"))
        #expect(!error.explanation.contains("LSApplicationQueriesSchemes"))
    }

    @Test func missingQueriedSchemeIsNamed() throws {
        let error = try #require(failure(AppInformation(schemes: ["kakao1"], queries: ["naversearchthirdlogin"])))
        #expect(error.code == .misconfigured)
        #expect(error.explanation.contains("LSApplicationQueriesSchemes lacks 'kakaokompassauth'"))
        #expect(!error.explanation.contains("CFBundleURLTypes"))
    }

    /// Since iOS 15.
    @Test func queriedSchemeAfterTheFiftiethIsToMoveUp() throws {
        func information(at place: Int) -> AppInformation {
            let others = (1..<place).map { "other\($0)" }
            return AppInformation(schemes: ["kakao1"], queries: others + ["KakaoKompassAuth", "last"])
        }
        for place in [1, 49, 50] { #expect(failure(information(at: place)) == nil) }
        for place in [51, 70] {
            let error = try #require(failure(information(at: place)))
            #expect(error.code == .misconfigured)
            #expect(error.explanation.contains("lists 'kakaokompassauth' at place \(place)"))
            #expect(error.explanation.contains("only the first 50 entries"))
            #expect(error.explanation.contains("move the entry up"))
            #expect(!error.explanation.contains("lacks"))
        }
    }

    @Test func schemeThatIsListedTwiceCountsAtItsFirstPlace() {
        let others = (1...60).map { "other\($0)" }
        let queries = ["kakaokompassauth"] + others + ["kakaokompassauth"]
        #expect(failure(AppInformation(schemes: ["kakao1"], queries: queries)) == nil)
    }

    @Test func appWithoutScenesIsTold() throws {
        let information = AppInformation(schemes: ["kakao1"], queries: ["kakaokompassauth"], hasScenes: false)
        AppleDevice.App.connect()
        let error = try #require(failure(information))
        #expect(error.code == .misconfigured && error.explanation.contains("UIApplicationSceneManifest is missing"))
        #expect(error.explanation.contains("scene(_:openURLContexts:)"))
        // Scenes that are configured in code have a delegate, and SwiftUI's have one of its own.
        AppleDevice.App.connect(delegate: SceneDelegate())
        #expect(failure(information) == nil)
    }

    @MainActor private final class SceneDelegate: NSObject, UIWindowSceneDelegate {}

    @Test func everythingThatIsMissingIsNamedAtOnce() throws {
        let error = try #require(failure(AppInformation([:])))
        for key in ["CFBundleURLTypes", "LSApplicationQueriesSchemes", "UIApplicationSceneManifest"] {
            #expect(error.explanation.contains(key))
        }
    }

    @Test func webAddressesNeedNoEntry() {
        let answer = URL(literal: "https://app.example/callback")
        #expect(failure(AppInformation(), toOpen: URL(literal: "https://talk.example"), answeringAt: answer) == nil)
    }

    @Test func entriesOfAnotherTypeCountAsMissing() throws {
        let information = AppInformation([
            "CFBundleURLTypes": ["kakao1"], "LSApplicationQueriesSchemes": "kakaokompassauth",
            "UIApplicationSceneManifest": true,
        ])
        #expect(information.schemes.isEmpty && information.queriedSchemes.isEmpty && !information.hasSceneManifest)
    }

    @Test func extensionIsToldWhichOpenerToUse() throws {
        AppleDevice.App.isExtension = true
        let error = try #require(failure(.forKakao))
        #expect(error.code == .misconfigured && error.explanation.contains("ExtensionApplicationOpener"))
    }

    @Test func openerOfAnExtensionNeedsTheAppsScheme() async throws {
        let opener = ExtensionApplicationOpener(AppInformation(queries: ["kakaokompassauth"])) { _, _ in true }
        let error = #expect(throws: AuthError.self) {
            try opener.validateConfiguration(toOpen: talk, answeringAt: callback)
        }
        #expect(error?.explanation.contains("CFBundleURLTypes lacks the scheme 'kakao1'") == true)
        try ExtensionApplicationOpener(AppInformation(schemes: ["kakao1"], hasScenes: false)) { _, _ in true }
            .validateConfiguration(toOpen: talk, answeringAt: callback)
    }

    @Test func infoOfTheAppThatContainsAnExtensionIsRead() throws {
        let app = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).app")
        let plugIn = app.appending(path: "PlugIns/Widget.appex")
        try FileManager.default.createDirectory(at: plugIn, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: app) }
        let info: [String: Any] = [
            "CFBundleIdentifier": "com.example.app", "CFBundleURLTypes": [["CFBundleURLSchemes": ["kakao1"]]],
            "LSApplicationQueriesSchemes": ["kakaokompassauth"],
            "UIApplicationSceneManifest": ["UIApplicationSupportsMultipleScenes": false],
        ]
        try PropertyListSerialization.data(fromPropertyList: info, format: .xml, options: 0)
            .write(to: app.appending(path: "Info.plist"))
        for folder in [app, plugIn] {
            let information = AppInformation(of: try #require(Bundle(url: folder)))
            #expect(information.schemes == ["kakao1"] && information.queriedSchemes == ["kakaokompassauth"])
            #expect(information.hasSceneManifest)
        }
    }
}
