public import Foundation

@available(macOS, unavailable)
@available(watchOS, unavailable)
extension AppleDevice {
    /// What tests control of the app: its scenes, and what becomes of the URLs that it opens.
    @MainActor public enum App {
        /// The scenes that are connected.
        ///
        /// Its first access registers the reset of everything here. So each setter accesses it.
        public internal(set) static var scenes: Set<UIScene> = {
            onReset { MainActor.assumeIsolated { forget() } }
            return []
        }()

        /// The schemes of other apps that are installed.
        public static var installedSchemes: Set<String> = [] { didSet { _ = scenes } }
        /// `LSApplicationQueriesSchemes` of the app: `canOpenURL` says no to others.
        public static var queriedSchemes: Set<String> = [] { didSet { _ = scenes } }
        /// The hosts whose universal links open an app that is installed.
        public static var universalLinkHosts: Set<String> = [] { didSet { _ = scenes } }
        /// How the completion of the next `open` calls: once, unless told otherwise.
        public static var completions = 1 { didSet { _ = scenes } }
        /// The scene that is frontmost of those that are active in the foreground: the last one that became active.
        public internal(set) static weak var frontmost: UIScene?
        /// Whether the process is that of an app extension, which has no application.
        public static var isExtension = false { didSet { _ = scenes } }
        /// Whether Guided Access confines the device to this app.
        public static var isGuidedAccessEnabled = false { didSet { _ = scenes } }
        /// Whether what comes up on the screen moves until ``endAnimations()``; otherwise for a moment.
        public static var holdsAnimations = false { didSet { _ = scenes } }
        private static var animations: [@MainActor () -> Void] = []
        /// The application as code reaches it that extensions may run, too.
        static let application = UIApplication.shared
        /// The names of the delegates' classes for which `UIApplicationMain` was called.
        public internal(set) static var launched: [String?] = [] { didSet { _ = scenes } }
        /// What was opened, the oldest first.
        public private(set) static var opened: [URL] = [] { didSet { _ = scenes } }
        private static let openings = Arrivals<URL>()

        /// Waits for the next URL that opens.
        public static func nextOpened() async -> URL { await openings.next() }

        /// Connects a scene with a key window, and tells its delegate.
        ///
        /// A cold launch is a scene that connects with URLs or user activities.
        @discardableResult public static func connect(
            _ state: UIScene.ActivationState = .foregroundActive, role: UISceneSession.Role = .windowApplication,
            hasWindow: Bool = true, delegate: (any UISceneDelegate)? = nil, urls: [URL] = [],
            userActivities: Set<NSUserActivity> = [], sourceApplication: String? = nil
        ) -> UIWindowScene {
            let contexts = Set(urls.map { UIOpenURLContext($0, sourceApplication: sourceApplication) })
            let options = UIScene.ConnectionOptions(
                urlContexts: contexts, userActivities: userActivities, sourceApplication: sourceApplication)
            let scene = UIWindowScene(session: UISceneSession(role: role), connectionOptions: options)
            scenes.insert(scene)
            scene.delegate = delegate
            if hasWindow { UIWindow(windowScene: scene).makeKeyAndVisible() }
            post(UIScene.willConnectNotification, scene)
            delegate?.scene(scene, willConnectTo: scene.session, options: options)
            move(scene, to: state)
            return scene
        }

        /// Moves a scene to another state, as the person or the system does.
        public static func move(_ scene: UIScene, to state: UIScene.ActivationState) {
            let (old, before) = (scene.activationState, UIApplication.shared.applicationState)
            if old == .foregroundActive, state != old { post(UIScene.willDeactivateNotification, scene) }
            let wasInForeground = old == .foregroundActive || old == .foregroundInactive
            let isInForeground = state == .foregroundActive || state == .foregroundInactive
            if isInForeground, !wasInForeground { post(UIScene.willEnterForegroundNotification, scene) }
            scene.activationState = state
            if state == .foregroundActive { frontmost = scene }
            if state == .foregroundActive, state != old { post(UIScene.didActivateNotification, scene) }
            if state == .background, state != old { post(UIScene.didEnterBackgroundNotification, scene) }
            postForApp(before, UIApplication.shared.applicationState)
        }

        /// Disconnects a scene: it is gone, and so are its windows.
        public static func disconnect(_ scene: UIScene) {
            scenes.remove(scene)
            scene.activationState = .unattached
            for window in (scene as? UIWindowScene)?.windows ?? [] { window.windowScene = nil }
            scene.delegate?.sceneDidDisconnect(scene)
            post(UIScene.didDisconnectNotification, scene)
        }

        /// Another app or the browser opens URLs of this one.
        public static func deliver(_ urls: URL..., to scene: UIScene, sourceApplication: String? = nil) {
            let contexts = Set(urls.map { UIOpenURLContext($0, sourceApplication: sourceApplication) })
            scene.delegate?.scene(scene, openURLContexts: contexts)
        }

        /// A universal link of this app is opened.
        public static func deliver(_ userActivity: NSUserActivity, to scene: UIScene) {
            scene.delegate?.scene(scene, continue: userActivity)
        }

        /// What came up on the screen has moved to its place.
        public static func endAnimations() {
            let ended = animations
            animations = []
            for end in ended { end() }
        }

        static func animate(_ end: @escaping @MainActor () -> Void) {
            animations.append(end)
            if !holdsAnimations { AppleDevice.call(.main) { endAnimations() } }
        }

        static func canOpen(_ url: URL) -> Bool {
            let scheme = url.scheme ?? ""
            return isWeb(url) || queriedSchemes.contains(scheme) && installedSchemes.contains(scheme)
        }

        static func open(_ url: URL, universalLinksOnly: Bool) -> Bool {
            let opens =
                if isWeb(url) {
                    !universalLinksOnly || universalLinkHosts.contains(url.host ?? "")
                } else {
                    !universalLinksOnly && installedSchemes.contains(url.scheme ?? "")
                }
            if opens {
                opened.append(url)
                openings.add(url)
            }
            return opens
        }

        static func finish(_ completion: @escaping @MainActor () -> Void) {
            for _ in 0..<completions { call(.main, completion) }
        }

        private static func isWeb(_ url: URL) -> Bool { url.scheme == "https" || url.scheme == "http" }

        private static func post(_ name: NSNotification.Name, _ scene: UIScene) {
            NotificationCenter.default.post(name: name, object: scene)
        }

        /// The notifications of the app follow its most active scene.
        private static func postForApp(_ before: UIApplication.State, _ after: UIApplication.State) {
            guard before != after else { return }
            var names: [NSNotification.Name] = []
            if before == .active { names.append(UIApplication.willResignActiveNotification) }
            if before == .background { names.append(UIApplication.willEnterForegroundNotification) }
            if after == .background { names.append(UIApplication.didEnterBackgroundNotification) }
            if after == .active { names.append(UIApplication.didBecomeActiveNotification) }
            for name in names { NotificationCenter.default.post(name: name, object: UIApplication.shared) }
        }

        private static func forget() {
            (scenes, installedSchemes, queriedSchemes, universalLinkHosts) = ([], [], [], [])
            (completions, opened, launched, frontmost) = (1, [], [], nil)
            (isExtension, isGuidedAccessEnabled) = (false, false)
            (holdsAnimations, animations) = (false, [])
            openings.forget()
        }
    }
}
