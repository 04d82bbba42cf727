import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing
import UIKit

@testable import AuthStreamsApple

/// Every way by which a scene gets a URL leads to the attempt that waits for it, and the app keeps its own.
@Suite(.appleDevice) @MainActor struct SceneHandoverTests {
    /// An app's scene delegate, as the documentation shows it.
    @MainActor private final class SceneDelegate: NSObject, UIWindowSceneDelegate {
        let auth: AuthService
        private(set) var own: [String] = []
        private(set) var outcomes: [Bool] = []

        init(_ auth: AuthService) {
            self.auth = auth
            super.init()
        }

        func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
            own += auth.handle(contexts).map(\.url.absoluteString).sorted()
        }

        func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
            outcomes.append(auth.handle(userActivity))
        }

        func scene(
            _ scene: UIScene, willConnectTo session: UISceneSession,
            options connectionOptions: UIScene.ConnectionOptions
        ) {
            let rest = auth.handle(connectionOptions)
            own += rest.urlContexts.map(\.url.absoluteString).sorted()
            own += rest.userActivities.compactMap(\.webpageURL?.absoluteString).sorted()
        }
    }

    private let callbacks = CallbackRouter()
    private let answer = URL(literal: "kakao1://oauth?code=1")
    private let link = URL(literal: "https://app.example/callback?code=1")
    private let foreign = URL(literal: "pulseboard://settings")

    private func service() -> AuthService {
        AuthService(
            repository: ScriptedRepository(), providers: [], store: MemorySessionStore(), callbacks: callbacks)
    }

    private func expect(_ url: URL) -> CallbackExpectation { callbacks.expect { $0 == url } }

    private func activity(_ url: URL?, type: String = NSUserActivityTypeBrowsingWeb) -> NSUserActivity {
        let activity = NSUserActivity(activityType: type)
        activity.webpageURL = url
        return activity
    }

    @Test func openedURLReachesTheAttempt() async {
        let delegate = SceneDelegate(service())
        let scene = AppleDevice.App.connect(delegate: delegate)
        let attempt = expect(answer)
        AppleDevice.App.deliver(foreign, answer, to: scene)
        #expect(await attempt.callback() == answer)
        #expect(delegate.own == ["pulseboard://settings"], "The app's own passes untouched.")
        AppleDevice.App.deliver(foreign, to: scene)
        #expect(delegate.own.count == 2)
    }

    @Test func universalLinkReachesTheAttempt() async {
        let delegate = SceneDelegate(service())
        let scene = AppleDevice.App.connect(delegate: delegate)
        let attempt = expect(link)
        AppleDevice.App.deliver(activity(URL(literal: "https://app.example/other")), to: scene)
        AppleDevice.App.deliver(activity(nil), to: scene)
        AppleDevice.App.deliver(activity(link, type: "com.example.handoff"), to: scene)
        AppleDevice.App.deliver(activity(link), to: scene)
        #expect(await attempt.callback() == link)
        #expect(delegate.outcomes == [false, false, false, true])
    }

    @Test func whatLaunchesASceneReachesTheAttempt() async {
        let delegate = SceneDelegate(service())
        let (byURL, byLink) = (expect(answer), expect(link))
        AppleDevice.App.connect(delegate: delegate, urls: [answer])
        AppleDevice.App.connect(delegate: delegate, userActivities: [activity(link)])
        AppleDevice.App.connect(delegate: delegate)
        #expect(await byURL.callback() == answer)
        #expect(await byLink.callback() == link)
        #expect(delegate.own.isEmpty)
    }

    /// An answer in the options hides nothing beside it.
    @Test func restOfWhatLaunchesASceneIsTheAppsOwn() async {
        let delegate = SceneDelegate(service())
        let (byURL, byLink) = (expect(answer), expect(link))
        let own = URL(literal: "https://app.example/news")
        AppleDevice.App.connect(
            delegate: delegate, urls: [foreign, answer], userActivities: [activity(link), activity(own)])
        #expect(delegate.own == [foreign.absoluteString, own.absoluteString])
        AppleDevice.App.connect(delegate: delegate, urls: [foreign], userActivities: [activity(own)])
        #expect(delegate.own.count == 4)
        #expect(await byURL.callback() == answer)
        #expect(await byLink.callback() == link)
    }
}
