import AuthStreams
import AuthStreamsTesting
import Foundation
import SwiftUI
import TestSupport
import Testing
import UIKit

@testable import AuthStreamsApple
@testable import PulseBoardKit

/// How the sample app begins: its launch arguments, and what it says where something is not set up.
@Suite(.appleDevice) @MainActor struct SampleSetUpTests {
    private var filledIn: Configuration {
        Configuration(
            firebaseProjectID: "demo", firebaseAPIKey: "AIza1", googleClientID: "1-a.apps.googleusercontent.com",
            kakaoNativeAppKey: "0123abcd", naverClientID: "naver1")
    }

    private func explanation(_ arguments: String..., with configuration: Configuration? = nil) -> String? {
        let board = Board.make(
            arguments: ["PulseBoard"] + arguments, configuration ?? filledIn,
            on: .app(store: MemorySessionStore()), emulated: .app(store: MemorySessionStore(), opener: NoOtherApps()))
        guard case .failure(let problem) = board else { return nil }
        return problem.explanation
    }

    @Test func argumentsOfTheAppAndOfTheSystemAreTaken() {
        #expect(explanation() == nil)
        #expect(explanation("--uikit", "-AppleLanguages", "(ko)") == nil)
        #expect(explanation("--emulator", "http://127.0.0.1:9099", "--uikit") == nil)
        #expect(explanation("--emulator", "http://127.0.0.1:9099/") == nil)
    }

    @Test func misspelledArgumentIsNamed() {
        #expect(explanation("--emulater", "http://127.0.0.1:9099")?.contains("no launch argument --emulater") == true)
    }

    @Test func emulatorWithoutAURLIsExplained() {
        #expect(explanation("--emulator")?.contains("lacks the URL") == true)
        #expect(explanation("--emulator", "--uikit")?.contains("lacks the URL") == true)
    }

    @Test(arguments: [
        "9099", "127.0.0.1:9099", "http://127.0.0.1", "https://127.0.0.1:9099", "http://127.0.0.1:9099/kauth.kakao.com",
        "http://127.0.0.1:9099?x", "not a url",
    ])
    func emulatorThatIsNoURLOfOneIsExplained(text: String) {
        #expect(explanation("--emulator", text)?.contains("'\(text)', which is no URL of an emulator") == true)
    }

    @Test(arguments: [
        "http://192.168.1.2:9099", "http://my-mac.local:9099", "http://localhost:9099", "http://[::1]:9099",
    ])
    func emulatorOfAnotherAddressIsExplained(text: String) {
        #expect(explanation("--emulator", text)?.contains("'\(text)', and an emulator serves 127.0.0.1 alone") == true)
    }

    /// Each one is named, and not the person's sign-in fails, as if they had chosen that.
    @Test func valuesThatWereNotReplacedAreNamed() throws {
        let all = try #require(explanation(with: Configuration()))
        for value in [
            "YOUR-PROJECT-ID", "YOUR-WEB-API-KEY", "YOUR-CLIENT-ID", "YOUR-KAKAO-NATIVE-APP-KEY",
            "YOUR-NAVER-CLIENT-ID",
        ] { #expect(all.contains(value)) }
        var configuration = filledIn
        configuration.naverClientID = Configuration().naverClientID
        let one = try #require(explanation(with: configuration))
        #expect(one.contains("YOUR-NAVER-CLIENT-ID") && !one.contains("YOUR-PROJECT-ID"))
        #expect(explanation("--emulator", "http://127.0.0.1:9099", with: Configuration()) == nil)
    }

    @Test func problemIsTheOnlyScreen() {
        let problem = SetUpProblem("Replace this.")
        #expect(SampleScreen(.failure(problem)).texts == ["Replace this."])
        let scene = SampleScene(.failure(problem), urls: [URL(literal: "pulseboard://posts/7")])
        AppleDevice.App.deliver(URL(literal: "pulseboard://posts/7"), to: scene.scene)
        #expect(scene.texts == ["Replace this."])
    }

    @Test func launchArgumentChoosesTheScreens() {
        PulseBoardLauncher.main(arguments: ["PulseBoard", "--emulator", "http://127.0.0.1:9099"])
        #expect(ViewHost.launched.map { "\($0)" } == ["PulseBoardApp"] && AppleDevice.App.launched.isEmpty)
        PulseBoardLauncher.main(arguments: ["PulseBoard", "--uikit"])
        #expect(ViewHost.launched.count == 1 && AppleDevice.App.launched == ["PulseBoardKit.AppDelegate"])
    }

    /// The scene delegate is chosen in code, and the system makes it without arguments.
    @Test func appDelegateChoosesTheSceneDelegate() {
        let configuration = AppleDevice.App.configuration(by: AppDelegate())
        #expect(configuration.delegateClass == PulseBoardKit.SceneDelegate.self && configuration.name == nil)
        AppleDevice.App.connect(hasWindow: false, delegate: PulseBoardKit.SceneDelegate())
    }

    /// The process of a test has arguments that the app does not have.
    @Test func windowOfTheAppShowsTheBoard() throws {
        let problem = try #require(throws: SetUpProblem.self) { try PulseBoardLauncher.board.get() }
        #expect(ViewHost(app: PulseBoardApp()).root.texts == [problem.explanation])
    }

    /// A token of the real servers never goes to an emulator. A test's process has no bundle identifier.
    @Test func sessionOfTheEmulatorHasItsOwnPlace() throws {
        let services = try [AuthPlatform.emulated, .app].map { platform in
            try #require(platform.store as? KeychainSessionStore).place.service
        }
        #expect(services == ["PulseBoard.emulator", ""])
        // Nor does the real KakaoTalk open for it.
        #expect(AuthPlatform.emulated.opener is NoOtherApps && AuthPlatform.app.opener is SystemApplicationOpener)
    }

    @Test func previewsShowTheirScreens() {
        let texts = ViewHost(BoardPreviews.previews).root.texts
        // Three log-in screens, one with a badge, and two home screens.
        #expect(texts.filter { $0 == "PulseBoard" }.count == 3)
        #expect(texts.filter { $0 == "Last used" }.count == 1 && texts.filter { $0 == "Minji Kim" }.count == 2)
    }
}
