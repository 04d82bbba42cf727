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
        /// Whether the service has an attempt with the provider in progress.
        private var isAsked = false { didSet { updateProgress() } }
        private var model: SignInButtonModel { didSet { if model != oldValue { render() } } }

        /// Where the control is, as wide as the view.
        let face = UIView()
        private var control = UIControl()
        private lazy var minimumHeight = face.heightAnchor.constraint(greaterThanOrEqualToConstant: 0)
        private let badge = UILabel()
        private let stack = UIStackView()

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
            layOut()
            makeControl()
            registerForTraitChanges([UITraitUserInterfaceStyle.self, UITraitPreferredContentSizeCategory.self]) {
                (view: SignInButtonView, previous: UITraitCollection) in
                // Apple's button takes its style only when it is made.
                let isRestyled = previous.userInterfaceStyle != view.traitCollection.userInterfaceStyle
                if view.provider == .apple, isRestyled { view.makeControl() } else { view.render() }
            }
            follow(auth)
        }

        deinit { reader?.cancel() }

        /// Shows the progress of an attempt with the provider, also of one that another view began.
        private func follow(_ auth: AuthService) {
            // The places in the sequences are taken before the service is asked, so no change is missed.
            var (states, events) = (auth.states.latest.makeAsyncIterator(), auth.events.makeAsyncIterator())
            serviceChanged()
            reader =
                switch action {
                case .signIn: Task { [weak self] in while await states.next() != nil { self?.serviceChanged() } }
                // A link changes no state until it has succeeded.
                case .link: Task { [weak self] in while await events.next() != nil { self?.serviceChanged() } }
                }
        }

        private func serviceChanged() {
            isAsked = reference.service?.isInProgress(action, with: provider) ?? false
        }

        private func updateProgress() { model.isInProgress = taps.isInProgress || isAsked }

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

        // MARK: Drawing

        private func layOut() {
            badge.font = .preferredFont(forTextStyle: .caption1)
            badge.adjustsFontForContentSizeCategory = true
            badge.numberOfLines = 0
            badge.textAlignment = .center
            // It is the value of the control.
            badge.isAccessibilityElement = false
            stack.axis = .vertical
            stack.addArrangedSubview(face)
            stack.addArrangedSubview(badge)
            stack.translatesAutoresizingMaskIntoConstraints = false
            addSubview(stack)
            NSLayoutConstraint.activate([
                stack.leadingAnchor.constraint(equalTo: leadingAnchor),
                stack.trailingAnchor.constraint(equalTo: trailingAnchor),
                stack.topAnchor.constraint(equalTo: topAnchor),
                stack.bottomAnchor.constraint(equalTo: bottomAnchor),
                minimumHeight,
            ])
        }

        private func makeControl() {
            control.removeFromSuperview()
            let action = UIAction { [weak self] _ in self?.tap() }
            control =
                provider == .apple ? appleButton(action) : UIButton(configuration: .plain(), primaryAction: action)
            control.translatesAutoresizingMaskIntoConstraints = false
            face.addSubview(control)
            // As wide as the view, where that is not wider than the button may be.
            let width = control.widthAnchor.constraint(equalTo: face.widthAnchor)
            width.priority = .defaultHigh
            NSLayoutConstraint.activate([
                control.topAnchor.constraint(equalTo: face.topAnchor),
                control.bottomAnchor.constraint(equalTo: face.bottomAnchor),
                control.centerXAnchor.constraint(equalTo: face.centerXAnchor),
                control.widthAnchor.constraint(lessThanOrEqualTo: face.widthAnchor),
                control.widthAnchor.constraint(greaterThanOrEqualToConstant: style.minimumWidth),
                control.widthAnchor.constraint(lessThanOrEqualToConstant: style.maximumWidth),
                width,
            ])
            render()
        }

        private func appleButton(_ action: UIAction) -> UIControl {
            let button = ASAuthorizationAppleIDButton(
                authorizationButtonType: model.wording.appleButtonType,
                authorizationButtonStyle: traitCollection.userInterfaceStyle == .dark ? .white : .black)
            #if os(tvOS)
                button.addAction(action, for: .primaryActionTriggered)
            #else
                button.cornerRadius = style.cornerRadius
                button.addAction(action, for: .touchUpInside)
            #endif
            return button
        }

        private func render() {
            (control as? UIButton)?.configuration = .signIn(
                model, style, logo: provider == .passkey ? passkeySymbol : logo, in: traitCollection)
            minimumHeight.constant = style.minimumHeight(textScale: traitCollection.textScale)
            stack.spacing = style.clearSpace(textScale: traitCollection.textScale)
            badge.text = model.badge
            badge.isHidden = badge.text == nil
            control.isEnabled = isEnabled
            control.alpha = model.isInProgress || !isEnabled ? 0.6 : 1
            control.accessibilityLabel = model.accessibilityLabel
            control.accessibilityValue = model.accessibilityValue
        }

        /// The symbol in the color of the title.
        private var passkeySymbol: UIImage? {
            let title = style.colors(isDark: traitCollection.userInterfaceStyle == .dark).title
            return UIImage(systemName: SignInButtonStyle.passkeySymbol)?.withTintColor(UIColor(title))
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

    extension SignInButtonWording {
        fileprivate var appleButtonType: ASAuthorizationAppleIDButton.ButtonType {
            switch self {
            case .signIn, .short: .signIn
            case .signUp: .signUp
            case .continue, .link: .continue
            }
        }
    }
#endif
