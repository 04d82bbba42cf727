import AuthStreams
import AuthStreamsOAuth
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsApple
@testable import PulseBoardKit

/// The files that make an app of the sample: they fit its code, and what this library asks of Info.plist.
@MainActor struct SampleFilesTests {
    private func propertyList(_ name: String) throws -> [String: Any] {
        let text = try sourceFile("Examples/PulseBoardApp/App/\(name)")
        let list = try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
        return try #require(list as? [String: Any])
    }

    private var readme: String { get throws { try sourceFile("Examples/PulseBoardApp/README.md") } }

    @Test func infoPlistHasWhatTheConfiguredProvidersNeed() throws {
        let information = AppInformation(try propertyList("Info.plist"))
        let configuration = Configuration()
        for scheme in ["kakao" + configuration.kakaoNativeAppKey, configuration.urlScheme] {
            #expect(information.schemes.contains(scheme.lowercased()), "\(scheme)")
        }
        #expect(information.schemes.count == 2)
        for app in [KakaoTalkRequest.availabilityURL, NaverAppRequest.availabilityURL] {
            #expect(information.missingEntry(toQuery: app) == nil)
        }
    }

    /// A delegate named here would take the window from the app with SwiftUI.
    @Test func infoPlistDeclaresScenesAndNoDelegate() throws {
        let list = try propertyList("Info.plist")
        #expect(AppInformation(list).hasSceneManifest)
        let manifest = try #require(list["UIApplicationSceneManifest"] as? [String: Any])
        #expect(manifest["UISceneConfigurations"] == nil)
        #expect(manifest["UIApplicationSupportsMultipleScenes"] as? Bool == false)
    }

    /// No more than the emulator needs: plain http to this machine, and not to others.
    @Test func plainHTTPIsAllowedToThisMachineAlone() throws {
        let security = try #require(try propertyList("Info.plist")["NSAppTransportSecurity"] as? [String: Any])
        #expect(security.keys.sorted() == ["NSAllowsLocalNetworking"])
        #expect(security["NSAllowsLocalNetworking"] as? Bool == true)
    }

    @Test func entitlementIsThatOfSignInWithAppleAlone() throws {
        let entitlements = try propertyList("PulseBoard.entitlements")
        #expect(entitlements.keys.sorted() == ["com.apple.developer.applesignin"])
        #expect(entitlements["com.apple.developer.applesignin"] as? [String] == ["Default"])
    }

    @Test func recipeHasAtMostEightSteps() throws {
        let numbers = try readme.matches(of: #/(?m)^([0-9]+)\. /#).compactMap { Int($0.output.1) }
        #expect(!numbers.isEmpty && numbers == Array(1...numbers.count) && numbers.count <= 8)
    }

    @Test func recipeNamesEachPlaceholderAndEachFile() throws {
        let readme = try readme
        for name in ["Info.plist", "PulseBoard.entitlements", "Main.swift", "Configuration.swift", "PulseBoardKit"] {
            #expect(readme.contains(name), "\(name)")
        }
        let configuration = try sourceFile(
            "Examples/PulseBoardApp/Sources/PulseBoardKit/SetUp/Configuration.swift")
        let values = configuration.matches(of: /"[^"]*(YOUR-[A-Z-]+)/).map { String($0.output.1) }
        #expect(values.count == Configuration().placeholders.count)
        for value in values { #expect(readme.contains(value), "\(value)") }
    }
}
