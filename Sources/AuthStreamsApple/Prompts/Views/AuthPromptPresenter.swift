#if AUTH_UIKIT && AUTH_SWIFTUI
    public import AuthStreams
    public import Foundation
    import Observation
    import SwiftUI
    import UIKit

    /// Presents a sheet while an attempt of a service asks for one more step, in an app with UIKit.
    ///
    /// ```swift
    /// final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    ///     private let prompts = AuthPromptPresenter(auth)
    /// }
    /// ```
    ///
    /// The sheet has a window of its own above those of the app. So it appears also while an alert or another sheet is up, and stays
    /// when the app replaces its screens. The steps of an attempt follow one another in one sheet, which closes with the attempt. A
    /// person who closes it cancels the attempt.
    ///
    /// Keep it for as long as the app asks: without a presenter, an attempt that needs a step ends. Of several, the one that was made
    /// last presents. One that finds no place for a sheet stops presenting: its window is gone, or the process is an app extension. It
    /// does not keep the service alive.
    @MainActor
    public final class AuthPromptPresenter {
        private let presentation: PresentationContext
        private let sheet = AuthPromptSheet()
        private var reader: Task<Void, Never>?
        private var stage: AuthPromptStage?
        /// Tell of scenes that come to the foreground, and of those that are closed.
        private var changes: [NotificationObserver] = []

        /// Makes a presenter.
        ///
        /// - Parameters:
        ///   - auth: The service.
        ///   - presentation: The window whose scene shows the sheets; that of the frontmost scene at each time unless given. While
        ///     the scene is in the background, a sheet waits.
        ///   - locale: The language of the texts.
        ///   - texts: The texts; the standard ones in the language of the locale unless given.
        public init(
            _ auth: AuthService, in presentation: PresentationContext = .automatic, locale: Locale = .current,
            texts: AuthPromptTexts? = nil
        ) {
            self.presentation = presentation
            let (prompts, clock) = (auth.prompts, auth.clock)
            reader = Task { [sheet] in await sheet.follow(prompts, by: clock, locale: locale, texts: texts) }
            update()
        }

        deinit {
            reader?.cancel()
            if let stage { Task { @MainActor in stage.leave() } }
        }

        /// Shows what is to be shown, now and after each change.
        private func update() {
            let wanted = withObservationTracking {
                sheet.presented
            } onChange: { [weak self] in
                Task { @MainActor in self?.update() }
            }
            show(wanted)
        }

        private func show(_ model: AuthPromptModel?) {
            if let stage {
                // A stage that is being left shows the next one when it is gone.
                if stage.model !== model { stage.leave() }
                return
            }
            changes = []
            guard let model else { return }
            do throws(PresentationFailure) {
                // The app's own, also while the sheet of another presenter is above it.
                let found = try presentation.found()
                let window = (found as? AuthPromptWindow)?.below ?? found
                sheet.onScreen = model
                let stage = AuthPromptStage(model, above: window) { [sheet] in
                    sheet.closedByPerson()
                } onEnd: { [weak self] in
                    self?.stage = nil
                    if let self { show(sheet.presented) }
                }
                self.stage = stage
                stage.enter()
            } catch {
                guard error.mayPass else {
                    reader?.cancel()
                    sheet.end()
                    return
                }
                changes = [UIScene.didActivateNotification, UIScene.didDisconnectNotification].map {
                    NotificationObserver($0) { [weak self] _ in if let self { show(sheet.presented) } }
                }
            }
        }
    }

    /// A window of a presenter above one of the app.
    private final class AuthPromptWindow: UIWindow {
        weak var below: UIWindow?
    }

    /// What the sheet is presented on, which shows nothing itself: the screen turns and has its bars as the app's window wants.
    private final class AuthPromptBackground: UIViewController {
        weak var below: UIWindow?

        #if !os(tvOS)
            override var supportedInterfaceOrientations: UIInterfaceOrientationMask {
                below?.rootViewController?.supportedInterfaceOrientations ?? super.supportedInterfaceOrientations
            }

            override var childForHomeIndicatorAutoHidden: UIViewController? { below?.rootViewController }
        #endif
        #if !os(tvOS) && !os(visionOS)
            override var childForStatusBarStyle: UIViewController? { below?.rootViewController }
            override var childForStatusBarHidden: UIViewController? { below?.rootViewController }
        #endif
    }

    /// A window with the sheet of one attempt.
    @MainActor
    private final class AuthPromptStage: NSObject, UIAdaptivePresentationControllerDelegate {
        let model: AuthPromptModel
        private let window: AuthPromptWindow
        private let background = AuthPromptBackground()
        private let controller: UIHostingController<AuthPromptView>
        private let onClose: @MainActor () -> Void
        private let onEnd: @MainActor () -> Void
        private var disconnection: NotificationObserver?
        /// Whether UIKit animates. It ignores a dismissal meanwhile.
        private var isMoving = true

        /// - Parameters:
        ///   - below: The window of the app whose scene and look the sheet has.
        ///   - onClose: Called when the person has closed the sheet.
        ///   - onEnd: Called when it is gone.
        init(
            _ model: AuthPromptModel, above below: UIWindow, onClose: @escaping @MainActor () -> Void,
            onEnd: @escaping @MainActor () -> Void
        ) {
            self.model = model
            self.onClose = onClose
            self.onEnd = onEnd
            controller = UIHostingController(rootView: AuthPromptView(model))
            window = below.windowScene.map { AuthPromptWindow(windowScene: $0) } ?? AuthPromptWindow()
            super.init()
            window.below = below
            window.windowLevel = UIWindow.Level(rawValue: below.windowLevel.rawValue + 1)
            window.tintColor = below.tintColor
            window.overrideUserInterfaceStyle = below.overrideUserInterfaceStyle
            window.rootViewController = background
            background.below = below
        }

        func enter() {
            // The keyboard belongs to the key window.
            window.makeKeyAndVisible()
            controller.presentationController?.delegate = self
            background.present(controller, animated: true) { [self] in
                isMoving = false
                if model.isClosed { leave() }
            }
            // UIKit has refused it, and calls nothing.
            if background.presentedViewController == nil { isMoving = false }
            disconnection = window.observeDisconnection { [weak self] in self?.end() }
        }

        func leave() {
            model.close()
            guard !isMoving else { return }
            guard background.presentedViewController != nil else { return end() }
            background.dismiss(animated: true) { self.end() }
        }

        func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {
            onClose()
            end()
        }

        private func end() {
            guard disconnection != nil else { return }
            disconnection = nil
            // Another presenter's sheet may have the keyboard by now, or be still there.
            let wasKey = window.isKeyWindow
            let next = window.windowScene?.windows.last { $0 is AuthPromptWindow && $0 !== window && !$0.isHidden }
            window.isHidden = true
            window.windowScene = nil
            if wasKey { (next ?? window.below)?.makeKey() }
            onEnd()
        }
    }
#endif
