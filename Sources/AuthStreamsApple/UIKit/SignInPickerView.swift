#if AUTH_UIKIT && AUTH_AUTHENTICATION_SERVICES
    public import AuthStreams
    public import Foundation
    public import UIKit

    /// The buttons of all providers of a service, in the service's order, with a badge on the one that was used last.
    ///
    /// ```swift
    /// let picker = SignInPickerView(auth: auth) { provider in
    ///     UIImage(named: "logo-\(provider)")
    /// } onSignIn: { [weak sceneDelegate] result in
    ///     sceneDelegate?.signedIn(result)  // the log-in screen may have been released
    /// } onError: { [weak self] message in
    ///     self?.showToast(message.text)
    /// }
    /// ```
    ///
    /// It does not keep the service alive, unless it is a preview.
    public final class SignInPickerView: UIView {
        private let buttons: [SignInButtonView]
        private let stack = UIStackView()
        private var reader: Task<Void, Never>?

        /// Makes a picker.
        ///
        /// - Parameters:
        ///   - auth: The service.
        ///   - wording: What the titles say.
        ///   - locale: The language of texts and messages.
        ///   - texts: The texts; the standard ones in the language of the locale unless given.
        ///   - styles: The looks by provider; those of the providers' brand rules unless given.
        ///   - requests: The request of each attempt by provider, such as one with further scopes.
        ///   - logo: Returns the vendor's logo. Not called for Apple's and a passkey's.
        ///   - onSignIn: Receives the result of each successful sign-in; see ``SignInButtonView``.
        ///   - onError: Receives what to tell the person; see ``SignInButtonView``.
        public init(
            auth: AuthService, wording: SignInButtonWording = .signIn, locale: Locale = .current,
            texts: SignInButtonTexts? = nil, styles: [ProviderID: SignInButtonStyle] = [:],
            requests: [ProviderID: AuthRequest] = [:], logo: (ProviderID) -> UIImage? = { _ in nil },
            onSignIn: @escaping @MainActor (SignInResult) -> Void = { _ in },
            onError: @escaping @MainActor (AuthMessage) -> Void
        ) {
            buttons = auth.providers.map { provider in
                SignInButtonView(
                    provider, auth: auth, wording: wording, style: styles[provider], locale: locale, texts: texts,
                    request: requests[provider] ?? AuthRequest(),
                    logo: provider == .apple || provider == .passkey ? nil : logo(provider),
                    onSignIn: onSignIn, onError: onError)
            }
            super.init(frame: .zero)
            layOut()
            show(auth.lastSignIn)
            let lastSignIns = auth.lastSignIns
            reader = Task { [weak self] in
                for await last in lastSignIns { self?.show(last) }
            }
        }

        deinit { reader?.cancel() }

        /// Not supported: the picker needs a service.
        @available(*, unavailable)
        public required init?(coder: NSCoder) { nil }

        private func show(_ last: SignInMethod?) {
            for button in buttons { button.isLastUsed = button.provider == last?.provider }
        }

        private func layOut() {
            for button in buttons { stack.addArrangedSubview(button) }
            stack.axis = .vertical
            setSpacing()
            registerForTraitChanges([UITraitPreferredContentSizeCategory.self]) {
                (view: SignInPickerView, _: UITraitCollection) in
                view.setSpacing()
            }
            addFilling(stack)
            // No button is smaller than another, also where one title takes more lines.
            NSLayoutConstraint.activate(
                buttons.dropFirst().map { $0.face.heightAnchor.constraint(equalTo: buttons[0].face.heightAnchor) })
        }

        private func setSpacing() {
            stack.spacing = SignInButtonStyle.spacing(of: buttons.map(\.style), textScale: traitCollection.textScale)
        }
    }
#endif
