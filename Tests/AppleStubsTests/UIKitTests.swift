import AuthStreams
import Foundation
import TestSupport
import Testing
import UIKit

@Suite(.appleDevice) @MainActor struct UIKitTests {
    @MainActor private final class SceneDelegate: NSObject, UIWindowSceneDelegate {
        var told: [String] = []

        func scene(
            _ scene: UIScene, willConnectTo session: UISceneSession,
            options connectionOptions: UIScene.ConnectionOptions
        ) {
            told += connectionOptions.urlContexts.map { "launch \($0.url)" }
            told += connectionOptions.userActivities.map { "launch \($0.webpageURL?.absoluteString ?? "")" }
        }

        func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
            told += contexts.map { "open \($0.url) of \($0.options.sourceApplication ?? "")" }
        }

        func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
            told.append("continue \(userActivity.webpageURL?.absoluteString ?? "")")
        }

        func sceneDidDisconnect(_ scene: UIScene) { told.append("disconnect") }
    }

    /// The notifications of the names given that come while `body` runs.
    private func notifications(_ names: [NSNotification.Name], during body: () -> Void) -> [NSNotification.Name] {
        let heard = Lock<[NSNotification.Name]>([])
        let tokens = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
                heard.withLock { $0.append(name) }
            }
        }
        body()
        for token in tokens { NotificationCenter.default.removeObserver(token) }
        return heard.withLock { $0 }
    }

    private func link(_ url: String) -> NSUserActivity {
        let activity = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
        activity.webpageURL = URL(string: url)
        return activity
    }

    @Test func scenesComeAndGo() {
        #expect(UIApplication.shared.applicationState == .background)
        let scene = AppleDevice.App.connect(.foregroundInactive)
        #expect(UIApplication.shared.connectedScenes == [scene] && scene.keyWindow?.isKeyWindow == true)
        #expect(UIApplication.shared.applicationState == .inactive)
        let window = scene.keyWindow
        let names = notifications([UIScene.didActivateNotification, UIScene.didDisconnectNotification]) {
            AppleDevice.App.move(scene, to: .foregroundActive)
            AppleDevice.App.disconnect(scene)
        }
        #expect(names == [UIScene.didActivateNotification, UIScene.didDisconnectNotification])
        #expect(UIApplication.shared.connectedScenes.isEmpty && scene.activationState == .unattached)
        #expect(scene.windows.isEmpty && window?.windowScene == nil)
    }

    @Test func sceneThatBecameActiveLastIsFrontmost() {
        let scenes = [AppleDevice.App.connect(), AppleDevice.App.connect()]
        #expect(scenes.map(\.traitCollection.activeAppearance) == [.inactive, .active])
        AppleDevice.App.move(scenes[0], to: .foregroundInactive)
        AppleDevice.App.move(scenes[0], to: .foregroundActive)
        #expect(scenes.map(\.traitCollection.activeAppearance) == [.active, .inactive])
        #expect(scenes.allSatisfy { $0.activationState == .foregroundActive })
    }

    @Test func applicationIsReachedByNameExceptInAnExtension() {
        let shared = NSSelectorFromString("sharedApplication")
        #expect(UIApplication.responds(to: shared))
        #expect(UIApplication.perform(shared)?.takeUnretainedValue() === UIApplication.shared)
        #expect(!UIApplication.responds(to: NSSelectorFromString("other")))
        AppleDevice.App.isExtension = true
        #expect(!UIApplication.responds(to: shared) && UIApplication.perform(shared) == nil)
    }

    @Test func sceneOpensAsTheApplicationDoes() async {
        let scene = AppleDevice.App.connect()
        let (options, outcomes) = (UIScene.OpenExternalURLOptions(), Lock<[Bool]>([]))
        let link = URL(literal: "https://talk.example/authorize")
        let calls = Calls()
        for isOnlyForApps in [true, false] {
            options.universalLinksOnly = isOnlyForApps
            scene.open(link, options: options) { isOpened in
                outcomes.withLock { $0.append(isOpened) }
                calls.add()
            }
            #expect(await calls.next() == .main)
        }
        #expect(outcomes.withLock { $0 } == [false, true])
        #expect(await AppleDevice.App.nextOpened() == link)
    }

    @Test func appGoesToTheBackgroundWithItsLastScene() {
        let scenes = [AppleDevice.App.connect(), AppleDevice.App.connect()]
        let all = [
            UIApplication.willResignActiveNotification, UIApplication.didEnterBackgroundNotification,
            UIApplication.willEnterForegroundNotification, UIApplication.didBecomeActiveNotification,
        ]
        #expect(notifications(all) { AppleDevice.App.move(scenes[0], to: .background) } == [])
        #expect(notifications(all) { AppleDevice.App.move(scenes[1], to: .background) } == Array(all[0...1]))
        #expect(notifications(all) { AppleDevice.App.move(scenes[0], to: .foregroundActive) } == Array(all[2...3]))
    }

    /// Each requirement of the protocol has its witness in the delegate, and not the implementation that does nothing.
    @Test func urlsReachTheDelegateAtLaunchAndLater() {
        let delegate = SceneDelegate()
        let scene = AppleDevice.App.connect(
            delegate: delegate, urls: [URL(literal: "app://cold")], userActivities: [link("https://app.example/cold")])
        AppleDevice.App.deliver(URL(literal: "app://warm"), to: scene, sourceApplication: "com.kakao.talk")
        AppleDevice.App.deliver(link("https://app.example/warm"), to: scene)
        AppleDevice.App.disconnect(scene)
        #expect(
            delegate.told == [
                "launch app://cold", "launch https://app.example/cold", "open app://warm of com.kakao.talk",
                "continue https://app.example/warm", "disconnect",
            ])
    }

    @Test func otherAppsOpenWhereTheyAreInstalled() async {
        let talk = URL(literal: "kakaokompassauth://authorize")
        let link = URL(literal: "https://talk.example/authorize")
        AppleDevice.App.installedSchemes = ["kakaokompassauth"]
        #expect(!UIApplication.shared.canOpenURL(talk))
        AppleDevice.App.queriedSchemes = ["kakaokompassauth"]
        #expect(UIApplication.shared.canOpenURL(talk))
        #expect(await UIApplication.shared.open(talk))
        #expect(await !UIApplication.shared.open(link, options: [.universalLinksOnly: true]))
        AppleDevice.App.universalLinkHosts = ["talk.example"]
        #expect(await UIApplication.shared.open(link, options: [.universalLinksOnly: true]))
        #expect(AppleDevice.App.opened == [talk, link])
        #expect(await !UIApplication.shared.open(URL(literal: "naversearchapp://x")))
    }

    @Test func completionOfOpenComesAsOftenAsTold() async {
        let calls = Calls()
        AppleDevice.App.completions = 2
        UIApplication.shared.open(URL(literal: "https://example.com")) { _ in calls.add() }
        #expect(await [calls.next(), calls.next()] == [.main, .main])
        AppleDevice.App.completions = 0
        UIApplication.shared.open(URL(literal: "https://example.com")) { _ in calls.add() }
        await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
        #expect(calls.count == 2)
    }

    @Test func lockedDeviceHasNoProtectedData() {
        let all = [
            UIApplication.protectedDataWillBecomeUnavailableNotification,
            UIApplication.protectedDataDidBecomeAvailableNotification,
        ]
        let heard = notifications(all) {
            AppleDevice.lock()
            #expect(!UIApplication.shared.isProtectedDataAvailable)
            AppleDevice.unlock()
        }
        #expect(heard == all && UIApplication.shared.isProtectedDataAvailable)
    }

    @Test func backgroundTasksExpireAndAreRefused() async {
        let expired = Calls()
        let application = UIApplication.shared
        let task = application.beginBackgroundTask(withName: "refresh") { expired.add() }
        #expect(task != .invalid && AppleDevice.App.backgroundTasks == 1)
        AppleDevice.App.expireBackgroundTasks()
        #expect(expired.count == 1)
        application.endBackgroundTask(task)
        AppleDevice.App.expireBackgroundTasks()
        #expect(expired.count == 1 && AppleDevice.App.backgroundTasks == 0)
        AppleDevice.App.refusesBackgroundTasks = true
        #expect(application.beginBackgroundTask(withName: nil) == .invalid)
    }

    @Test func buttonPerformsItsAction() {
        let pressed = Calls()
        let button = UIButton(primaryAction: UIAction(title: "Sign in") { _ in pressed.add() })
        button.sendActions(for: .primaryActionTriggered)
        #expect(pressed.count == 1)
    }
}
