import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing
import UIKit

@testable import AuthStreamsApple

/// The person comes back from the other app, with and without an answer.
@Suite(.appleDevice) @MainActor struct OtherAppReturnTests {
    private let callbacks = CallbackRouter()
    private let time = ManualClock()
    private let link = URL(literal: "https://talk.example/authorize")
    private let talk = URL(literal: "kakaokompassauth://authorize")
    private let callback = URL(literal: "kakao1://oauth")

    private func begin(_ launches: [OtherAppWait.Launch]) -> Task<URL?, any Error> {
        let clock = time.authClock(startingAt: .distantPast)
        return Task {
            try await OtherAppWait(
                opener: SystemApplicationOpener(.forKakao), callbacks: callbacks, clock: clock
            ).answer(
                opening: launches, comingBackTo: callback, reportingTo: AuthRequest(),
                accepts: { $0.scheme == "kakao1" })?.url
        }
    }

    private var bothWays: [OtherAppWait.Launch] { [.init(link, universalLinksOnly: true), .init(talk)] }

    private func leave(_ scene: UIScene) async {
        // The limit, and the wait for the return.
        await time.waitForSleepers(count: 1)
        _ = await AppleDevice.App.nextOpened()
        AppleDevice.App.move(scene, to: .background)
    }

    @Test func universalLinkIsTriedBeforeTheScheme() async throws {
        AppleDevice.App.installedSchemes = ["kakaokompassauth"]
        for hosts in [["talk.example"], []] as [Set<String>] {
            AppleDevice.App.universalLinkHosts = hosts
            let scene = AppleDevice.App.connect()
            let attempt = begin(bothWays)
            #expect(await AppleDevice.App.nextOpened() == (hosts.isEmpty ? talk : link))
            #expect(callbacks.handle(URL(literal: "kakao1://oauth?code=1")))
            #expect(try await attempt.value?.query() == "code=1")
            AppleDevice.App.disconnect(scene)
        }
    }

    /// A link that would open the browser opens nothing, so that the caller shows the page itself.
    @Test func linkThatWouldOpenTheBrowserOpensNothing() async throws {
        AppleDevice.App.connect()
        #expect(try await begin([.init(link, universalLinksOnly: true)]).value == nil)
        #expect(AppleDevice.App.opened.isEmpty)
    }

    @Test func answerThatComesWithTheReturnIsTheAnswer() async throws {
        AppleDevice.App.universalLinkHosts = ["talk.example"]
        let scene = AppleDevice.App.connect()
        let attempt = begin(bothWays)
        await leave(scene)
        // As on a phone: the URL comes while the scene is on its way to the front.
        AppleDevice.App.move(scene, to: .foregroundInactive)
        #expect(callbacks.handle(URL(literal: "kakao1://oauth?code=1")))
        AppleDevice.App.move(scene, to: .foregroundActive)
        #expect(try await attempt.value?.query() == "code=1")
    }

    @Test func returnWithoutAURLSaysWhatToCheck() async throws {
        AppleDevice.App.universalLinkHosts = ["talk.example"]
        let scene = AppleDevice.App.connect()
        let attempt = begin(bothWays)
        await leave(scene)
        AppleDevice.App.move(scene, to: .foregroundActive)
        await time.waitForSleepers(count: 2)
        time.advance(by: .seconds(1))
        let error = try #require(await attempt.authError)
        #expect(error.code == .abandoned && !error.isUserCancellation)
        for word in [
            "'kakao1'", "CFBundleURLTypes", "onOpenURL", "scene(_:openURLContexts:)", "CallbackRouter", "no URL",
        ] {
            #expect(error.explanation.contains(word))
        }
    }

    @Test func appThatKeepsThePersonEndsAtTheTimeLimit() async throws {
        AppleDevice.App.universalLinkHosts = ["talk.example"]
        let scene = AppleDevice.App.connect()
        let attempt = begin(bothWays)
        await leave(scene)
        time.advance(by: .seconds(600))
        #expect(await attempt.authError?.code == .timedOut)
    }
}
