import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing
import UIKit

@testable import AuthStreamsApple

@Suite(.appleDevice) @MainActor struct SystemApplicationOpenerTests {
    private let talk = URL(literal: "kakaokompassauth://authorize")
    private let link = URL(literal: "https://talk.example/authorize")
    private let opener = SystemApplicationOpener(.forKakao)

    @Test func appsCountAsInstalledThatMayBeQueried() {
        AppleDevice.App.installedSchemes = ["kakaokompassauth", "other"]
        #expect(!opener.canOpen(talk))
        AppleDevice.App.queriedSchemes = ["kakaokompassauth"]
        #expect(opener.canOpen(talk) && !opener.canOpen(URL(literal: "other://")))
        AppleDevice.App.isExtension = true
        #expect(!opener.canOpen(talk))
    }

    @Test func universalLinkOpensInAnAppAlone() async {
        AppleDevice.App.connect()
        #expect(await opener.open(link, universalLinksOnly: true) == nil, "It would open the browser.")
        #expect(AppleDevice.App.opened.isEmpty)
        AppleDevice.App.universalLinkHosts = ["talk.example"]
        #expect(await opener.open(link, universalLinksOnly: true) != nil)
        #expect(await opener.open(link, universalLinksOnly: false) != nil)
        #expect(AppleDevice.App.opened == [link, link])
    }

    @Test func appThatIsNotInstalledDoesNotOpen() async {
        AppleDevice.App.connect()
        #expect(await opener.open(talk, universalLinksOnly: false) == nil)
    }

    @Test func nothingOpensWithoutASceneInTheForeground() async {
        AppleDevice.App.installedSchemes = ["kakaokompassauth"]
        AppleDevice.App.connect(.background)
        #expect(await opener.open(talk, universalLinksOnly: false) == nil)
        #expect(AppleDevice.App.opened.isEmpty)
    }

    @Test func systemMayReportTwiceThatAURLOpened() async {
        AppleDevice.App.installedSchemes = ["kakaokompassauth"]
        AppleDevice.App.connect()
        AppleDevice.App.completions = 2
        #expect(await opener.open(talk, universalLinksOnly: false) != nil)
        #expect(await opener.open(talk, universalLinksOnly: false) != nil)
    }

    @Test func waitForAReportThatNeverComesEndsWithTheTask() async {
        AppleDevice.App.installedSchemes = ["kakaokompassauth"]
        AppleDevice.App.connect()
        AppleDevice.App.completions = 0
        let opening = Task { await opener.open(talk, universalLinksOnly: false) == nil }
        await Task {}.value
        opening.cancel()
        #expect(await opening.value)
    }

    /// The visit to an app, and whether it has ended.
    private func visit(from scene: UIScene) async throws -> (visit: Task<Void, Never>, hasEnded: Promise<Void>) {
        AppleDevice.App.installedSchemes = ["kakaokompassauth"]
        let visit = try #require(await opener.open(talk, universalLinksOnly: false))
        let hasEnded = Promise<Void>()
        let waiting = Task {
            await visit.waitForReturn()
            hasEnded.resolve(())
        }
        await Task {}.value
        return (waiting, hasEnded)
    }

    @Test func visitEndsWhenTheAppIsInFrontAgain() async throws {
        let scene = AppleDevice.App.connect()
        let (_, hasEnded) = try await visit(from: scene)
        // The system's question whether to open the other app.
        AppleDevice.App.move(scene, to: .foregroundInactive)
        AppleDevice.App.move(scene, to: .foregroundActive)
        AppleDevice.App.move(scene, to: .background)
        AppleDevice.App.move(scene, to: .foregroundInactive)
        for _ in 0..<20 { await Task.yield() }
        #expect(hasEnded.current == nil)
        AppleDevice.App.move(scene, to: .foregroundActive)
        #expect(await hasEnded.value() != nil)
    }

    @Test func visitEndsInAnySceneOfTheApp() async throws {
        let other = AppleDevice.App.connect(.background)
        let scene = AppleDevice.App.connect()
        let (_, hasEnded) = try await visit(from: scene)
        AppleDevice.App.move(scene, to: .background)
        AppleDevice.App.disconnect(scene)
        AppleDevice.App.move(other, to: .foregroundActive)
        #expect(await hasEnded.value() != nil)
    }

    /// On an iPad, two windows of the app are beside each other, and the other app takes the place of one.
    @Test func sceneThatStayedInTheForegroundDoesNotEndTheVisit() async throws {
        let stayed = AppleDevice.App.connect(.foregroundInactive)
        let other = AppleDevice.App.connect(.background)
        let scene = AppleDevice.App.connect()
        let (_, hasEnded) = try await visit(from: scene)
        AppleDevice.App.move(scene, to: .background)
        AppleDevice.App.move(stayed, to: .foregroundActive)
        AppleDevice.App.move(stayed, to: .foregroundInactive)
        // Also while another scene is on its way to the front.
        AppleDevice.App.move(other, to: .foregroundInactive)
        AppleDevice.App.move(stayed, to: .foregroundActive)
        for _ in 0..<20 { await Task.yield() }
        #expect(hasEnded.current == nil)
        AppleDevice.App.move(scene, to: .foregroundActive)
        #expect(await hasEnded.value() != nil)
    }

    /// The system disconnects a scene in the background to gain memory, and connects one when the person comes back.
    @Test func visitEndsInASceneThatConnects() async throws {
        let scene = AppleDevice.App.connect()
        let (_, hasEnded) = try await visit(from: scene)
        AppleDevice.App.move(scene, to: .background)
        AppleDevice.App.disconnect(scene)
        #expect(hasEnded.current == nil)
        AppleDevice.App.connect()
        #expect(await hasEnded.value() != nil)
    }

    @Test func visitThatEndedBeforeTheWaitHasEnded() async throws {
        AppleDevice.App.installedSchemes = ["kakaokompassauth"]
        let scene = AppleDevice.App.connect()
        let visit = try #require(await opener.open(talk, universalLinksOnly: false))
        AppleDevice.App.move(scene, to: .background)
        AppleDevice.App.move(scene, to: .foregroundActive)
        await visit.waitForReturn()
    }

    @Test func waitForTheReturnEndsWithTheTask() async throws {
        let (visit, hasEnded) = try await visit(from: AppleDevice.App.connect())
        #expect(hasEnded.current == nil)
        visit.cancel()
        #expect(await hasEnded.value() != nil)
    }

    @Test func extensionOpensByItsClosure() async throws {
        for isOpened in [true, false] {
            let asked = Lock<[String]>([])
            let opener = ExtensionApplicationOpener(AppInformation()) { url, universalLinksOnly in
                asked.withLock { $0.append("\(url) \(universalLinksOnly)") }
                return isOpened
            }
            #expect(opener.canOpen(talk))
            #expect((await opener.open(link, universalLinksOnly: true) != nil) == isOpened)
            #expect(asked.withLock { $0 } == ["https://talk.example/authorize true"])
        }
    }
}
