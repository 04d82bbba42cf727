#if AUTH_UIKIT && AUTH_AUTHENTICATION_SERVICES
    public import AuthStreams
    import AuthenticationServices
    public import Foundation
    public import UIKit

    /// A button of UIKit that signs in with a provider, or links it, by the brand rules of the provider.
    ///
    /// ```swift
    /// let button = SignInButtonView(.kakao, auth: auth, logo: UIImage(named: "kakao-symbol")) { [weak self] message in
    ///     self?.showToast(message.text)
    /// }
    /// ```
    ///
    /// The app hands in the vendor's logo, from the vendor's brand page. Apple's button is `ASAuthorizationAppleIDButton`, whose
    /// language the system chooses. <doc:Buttons> lists the rules.
    ///
    /// The attempt is presented in the button's window. Taps are ignored while the button's attempt is in progress; a tap on another
    /// provider's button replaces the attempt. The attempt continues if the button goes away. Its outcome is seen in the service's
    /// states, and reported to the closures.
    ///
    /// The button does not keep the service alive, unless it is a preview. After its release, a tap reports `misconfigured`.
    public final class SignInButtonView: UIView {
        private let reference: ServiceReference
        private let method: SignInMethod
        private let request: AuthRequest
        let style: SignInButtonStyle
        private let logo: UIImage?
        private let reports: SignInReports
        private let taps = SignInTaps()
        private var reader: Task<Void, Never>?
        private let layout = SignInButtonLayout()
        private var control = UIControl()
        private var model: SignInButtonModel { didSet { if model != oldValue { render() } } }

        /// Makes a button.
        ///
        /// - Parameters:
        ///   - provider: One of the service's providers. The attempts of any other fail with `unsupportedProvider`.
        ///   - kind: The kind of method; the provider's own choice unless given.
        ///   - action: What a tap begins.
        ///   - auth: The service.
        ///   - wording: What the title says; that of the action unless given.
        ///   - style: The look; that of the provider's brand rules unless given.
        ///   - locale: The language of texts and messages.
        ///   - texts: The texts; the standard ones in the language of the locale unless given.
        ///   - request: The request of each attempt, such as one with further scopes. It is presented in the button's window.
        ///   - logo: The vendor's logo. It is fitted without changing its proportions. Apple's button and a passkey's have
        ///     their own.
        ///   - onSignIn: Receives the result, once for each sign-in that succeeded, also if the button has gone away since. Not
        ///     called for an attempt that a newer one replaced.
        ///   - onLink: Receives the user with the new identity, once for each link that succeeded, in the same way.
        ///   - onError: Receives what to tell the person, once for each failed attempt, also if the button has gone away since. Not
        ///     called where there is nothing to tell: the person's own cancel, and an attempt that a newer one replaced. The
        ///     closures are kept until the button is released and its attempt has ended.
        public init(
            _ provider: ProviderID, using kind: SignInMethod.Kind? = nil, action: SignInButtonAction = .signIn,
            auth: AuthService, wording: SignInButtonWording? = nil, style: SignInButtonStyle? = nil,
            locale: Locale = .current, texts: SignInButtonTexts? = nil, request: AuthRequest = AuthRequest(),
            logo: UIImage? = nil,
            onSignIn: @escaping @MainActor (SignInResult) -> Void = { _ in },
            onLink: @escaping @MainActor (AuthUser) -> Void = { _ in },
            onError: @escaping @MainActor (AuthMessage) -> Void
        ) {
            reference = ServiceReference(auth)
            method = SignInMethod(provider, using: kind)
            self.request = request
            self.style = style ?? .standard(for: provider)
            self.logo = logo
            reports = SignInReports(onSignIn: onSignIn, onLink: onLink, onError: onError, locale: locale)
            model = SignInButtonModel(
                provider, action: action, wording: wording, texts: texts ?? .standard(for: locale))
            super.init(frame: .zero)
            layout.fill(self)
            makeControl()
            registerForTraitChanges([UITraitUserInterfaceStyle.self, UITraitPreferredContentSizeCategory.self]) {
                (view: SignInButtonView, previous: UITraitCollection) in
                view.traitsChanged(from: previous)
            }
            updateProgress()
            let progress = SignInProgress(of: action, in: auth)
            reader = Task { [weak self] in await progress.follow { self?.updateProgress() } }
        }

        deinit { reader?.cancel() }

        /// Not supported: the button needs a service.
        @available(*, unavailable)
        public required init?(coder: NSCoder) { nil }

        /// The provider.
        public var provider: ProviderID { method.provider }

        /// What a tap begins.
        public var action: SignInButtonAction { model.action }

        /// Whether the button has the badge of the last sign-in, which is below the button.
        public var isLastUsed: Bool {
            get { model.isLastUsed }
            set { model.isLastUsed = newValue }
        }

        /// Whether the button takes taps.
        public var isEnabled = true { didSet { render() } }

        /// Where the control is, as wide as the view.
        var face: UIView { layout.face }

        // MARK: Drawing

        private func makeControl() {
            let action = UIAction { [weak self] _ in self?.tap() }
            control =
                provider == .apple
                ? ASAuthorizationAppleIDButton.signIn(model.wording, style, in: traitCollection, action: action)
                : UIButton(configuration: .plain(), primaryAction: action)
            layout.place(control, style)
            render()
        }

        private func traitsChanged(from previous: UITraitCollection) {
            // Apple's button takes its style only when it is made.
            let isRestyled = previous.userInterfaceStyle != traitCollection.userInterfaceStyle
            if provider == .apple, isRestyled { makeControl() } else { render() }
        }

        private func render() {
            (control as? UIButton)?.configuration = .signIn(model, style, logo: logo, in: traitCollection)
            control.isEnabled = isEnabled
            control.alpha = model.isInProgress || !isEnabled ? 0.6 : 1
            control.accessibilityLabel = model.accessibilityLabel
            control.accessibilityValue = model.accessibilityValue
            layout.show(badge: model.badge, style, in: traitCollection)
        }

        /// Shows the progress of an attempt with the provider, also of one that another view began.
        private func updateProgress() {
            let isAsked = reference.service?.isInProgress(action, with: provider) ?? false
            model.isInProgress = taps.isInProgress || isAsked
        }

        // MARK: Taps

        private func tap() {
            guard let auth = reference.service else {
                return reports.tell(.serviceIsReleased(of: "SignInButtonView", during: action.operation))
            }
            var request = request
            if let window { request.presentation = .in(window) }
            taps.tap(action, with: method, request, of: auth, reports: reports) { [weak self] _ in
                self?.updateProgress()
            }
        }
    }
#endif
