#if AUTH_SWIFTUI && AUTH_AUTHENTICATION_SERVICES
    import AuthenticationServices
    public import AuthStreams
    import Foundation
    public import SwiftUI

    /// A button that signs in with a provider, or links it, by the brand rules of the provider.
    ///
    /// ```swift
    /// SignInButton(.apple)
    /// SignInButton(.kakao) { Image("kakao-symbol").resizable() }
    /// SignInButton(.naver, action: .link) { Image("naver-symbol").resizable() }
    /// ```
    ///
    /// The app hands in the vendor's logo, from the vendor's brand page. Apple's button has its own, and a passkey the system's symbol.
    /// <doc:Buttons> lists the rules.
    ///
    /// The button uses the service of its environment, and its language, appearance and text size. Apple's button is the exception:
    /// its visible title is in the language of the app, which the system chooses. Taps are ignored while its attempt
    /// is in progress; a tap on another provider's button replaces the attempt. The attempt goes on if the button goes away. Its
    /// outcome is seen in the service's states, and reported to `onSignIn(_:)`, `onLink(_:)` and `onAuthError(of:_:)`.
    public struct SignInButton<Logo: View>: View {
        @Environment(\.auth) private var auth
        @Environment(\.locale) private var locale
        @Environment(\.signInReports) private var signInReports
        /// A thousand times the scale, because the system may round lengths.
        @ScaledMetric(relativeTo: .body) private var scaled = 1000.0
        @State private var taps = SignInTaps()
        @State private var isInProgress = false
        /// Counts what may have changed the progress.
        @State private var changes = 0
        private let method: SignInMethod
        private let action: SignInButtonAction
        private let wording: SignInButtonWording?
        private let style: SignInButtonStyle
        private let texts: SignInButtonTexts?
        private let request: AuthRequest
        private let logo: () -> Logo
        private var isLastUsed = false

        /// What tells that an attempt is in progress.
        private struct Source: Hashable {
            let auth: ObjectIdentifier
            let action: SignInButtonAction
        }

        /// Makes a button.
        ///
        /// - Parameters:
        ///   - provider: One of the service's providers. The attempts of any other fail with `unsupportedProvider`.
        ///   - kind: The kind of method; the provider's own choice unless given.
        ///   - action: What a tap begins.
        ///   - wording: What the title says; that of the action unless given.
        ///   - style: The look; that of the provider's brand rules unless given.
        ///   - texts: The texts; the standard ones in the language of the environment unless given.
        ///   - request: The request of each attempt, such as one with further scopes.
        ///   - logo: The vendor's logo, resizable. It is fitted without changing its proportions. Not called for Apple's and a passkey's.
        public init(
            _ provider: ProviderID, using kind: SignInMethod.Kind? = nil, action: SignInButtonAction = .signIn,
            wording: SignInButtonWording? = nil, style: SignInButtonStyle? = nil, texts: SignInButtonTexts? = nil,
            request: AuthRequest = AuthRequest(), @ViewBuilder logo: @escaping () -> Logo
        ) {
            method = SignInMethod(provider, using: kind)
            self.action = action
            self.wording = wording
            self.style = style ?? .standard(for: provider)
            self.texts = texts
            self.request = request
            self.logo = logo
        }

        /// The same button, with or without the badge of the last sign-in, which is below the button.
        public func lastUsed(_ isLastUsed: Bool = true) -> Self {
            var button = self
            button.isLastUsed = isLastUsed
            return button
        }

        private var textScale: Double { scaled / 1000 }

        /// Whether the service has an attempt with the provider in progress, as it says now.
        private var isAsked: Bool {
            _ = changes
            return auth.isInProgress(action, with: method.provider)
        }

        private var model: SignInButtonModel {
            SignInButtonModel(
                method.provider, action: action, wording: wording, isLastUsed: isLastUsed,
                isInProgress: isInProgress || isAsked,
                texts: texts ?? .standard(for: locale))
        }

        /// The button.
        public var body: some View {
            let model = model
            Button {
                tap()
            } label: {
                VStack(spacing: style.clearSpace(textScale: textScale)) {
                    switch method.provider {
                    case .apple: AppleButtonLabel(model: model, style: style, textScale: textScale)
                    case .passkey:
                        SignInButtonLabel(
                            model: model, style: style, textScale: textScale,
                            logo: Image(systemName: SignInButtonStyle.passkeySymbol).resizable())
                    default:
                        SignInButtonLabel(model: model, style: style, textScale: textScale, logo: logo())
                    }
                    if let badge = model.badge {
                        Text(verbatim: badge).font(.caption).lineLimit(nil).multilineTextAlignment(.center)
                    }
                }
            }
            .buttonStyle(.plain)
            .accessibilityLabel(Text(verbatim: model.accessibilityLabel))
            .accessibilityValue(Text(verbatim: model.accessibilityValue ?? ""))
            .task(id: Source(auth: ObjectIdentifier(auth), action: action)) {
                await SignInProgress(of: action, in: auth).follow { changes += 1 }
            }
        }

        private func tap() {
            // They serve the attempt also after the button went away.
            var reports = signInReports
            reports.locale = locale
            taps.tap(action, with: method, request, of: auth, reports: reports) { isInProgress = $0 }
        }
    }

    extension SignInButton where Logo == EmptyView {
        /// Makes a button without a logo, such as Apple's or a passkey's, which have their own.
        public init(
            _ provider: ProviderID, using kind: SignInMethod.Kind? = nil, action: SignInButtonAction = .signIn,
            wording: SignInButtonWording? = nil, style: SignInButtonStyle? = nil, texts: SignInButtonTexts? = nil,
            request: AuthRequest = AuthRequest()
        ) {
            self.init(
                provider, using: kind, action: action, wording: wording, style: style, texts: texts, request: request
            ) {
                EmptyView()
            }
        }
    }

    /// Apple's own button as a picture: its authorization is made by the provider, with the nonce and the state of the attempt, so the
    /// taps go to the button around it. Its title is in the language of the app, which the system chooses.
    struct AppleButtonLabel: View {
        @Environment(\.colorScheme) private var colorScheme
        let model: SignInButtonModel
        let style: SignInButtonStyle
        let textScale: Double

        private var label: SignInWithAppleButton.Label {
            switch model.wording {
            case .signIn, .short: .signIn
            case .signUp: .signUp
            case .continue, .link: .continue
            }
        }

        private var shape: RoundedRectangle { RoundedRectangle(cornerRadius: style.cornerRadius) }

        /// A label of the same title as any other provider's. It has the size of this one, because Apple's button takes the size
        /// that it is offered, and follows no text size.
        private var base: some View {
            var idle = model
            idle.isInProgress = false
            return SignInButtonLabel(model: idle, style: style, textScale: textScale, logo: shape).hidden()
        }

        var body: some View {
            base
                .overlay {
                    SignInWithAppleButton(label, onRequest: { _ in }, onCompletion: { _ in })
                        .signInWithAppleButtonStyle(colorScheme == .dark ? .white : .black)
                        .clipShape(shape)
                        .allowsHitTesting(false)
                        .accessibilityHidden(true)
                        // Apple's button takes its style when it is made.
                        .id(colorScheme)
                }
                .opacity(model.isInProgress ? 0.6 : 1)
                .overlay { if model.isInProgress { ProgressView() } }
                .contentShape(shape)
        }
    }
#endif
