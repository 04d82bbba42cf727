#if AUTH_SWIFTUI && AUTH_AUTHENTICATION_SERVICES
    public import AuthStreams
    import Foundation
    public import SwiftUI

    /// The buttons of all providers of the service, in the service's order, with a badge on the one that was used last.
    ///
    /// ```swift
    /// SignInPicker { provider in
    ///     Image("logo-\(provider)").resizable()  // logo-google.com, logo-kakao, logo-naver
    /// }
    /// .onSignIn { result in showsOnboarding = result.isNewUser }
    /// .onAuthError { message in toast = message.text }
    /// ```
    public struct SignInPicker<Logo: View>: View {
        @Environment(\.auth) private var auth
        @Environment(\.locale) private var locale
        /// A thousand times the scale, because the system may round lengths.
        @ScaledMetric(relativeTo: .body) private var scaled = 1000.0
        @State private var received: SignInMethod?
        private let wording: SignInButtonWording
        private let texts: SignInButtonTexts?
        private let styles: [ProviderID: SignInButtonStyle]
        private let requests: [ProviderID: AuthRequest]
        private let logo: (ProviderID) -> Logo

        /// Makes a picker.
        ///
        /// - Parameters:
        ///   - wording: What the titles say.
        ///   - texts: The texts; the standard ones in the language of the environment unless given.
        ///   - styles: The looks by provider; those of the providers' brand rules unless given.
        ///   - requests: The request of each attempt by provider, such as one with further scopes.
        ///   - logo: Returns the vendor's logo, resizable. Not called for Apple's and a passkey's.
        public init(
            wording: SignInButtonWording = .signIn, texts: SignInButtonTexts? = nil,
            styles: [ProviderID: SignInButtonStyle] = [:], requests: [ProviderID: AuthRequest] = [:],
            @ViewBuilder logo: @escaping (ProviderID) -> Logo
        ) {
            self.wording = wording
            self.texts = texts
            self.styles = styles
            self.requests = requests
            self.logo = logo
        }

        private var textScale: Double { scaled / 1000 }

        /// As the service says now: what was received may be another service's.
        private var lastSignIn: SignInMethod? {
            _ = received
            return auth.lastSignIn
        }

        private var models: [SignInButtonModel] {
            SignInButtonModel.all(
                for: auth.providers, lastSignIn: lastSignIn, wording: wording, texts: texts ?? .standard(for: locale))
        }

        private func style(of provider: ProviderID) -> SignInButtonStyle {
            styles[provider] ?? .standard(for: provider)
        }

        /// The buttons, one below the other.
        public var body: some View {
            VStack(spacing: SignInButtonStyle.spacing(of: auth.providers.map(style(of:)), textScale: textScale)) {
                ForEach(models, id: \.provider) { model in
                    SignInButton(
                        model.provider, wording: wording, style: style(of: model.provider), texts: texts,
                        request: requests[model.provider] ?? AuthRequest()
                    ) { logo(model.provider) }
                    .lastUsed(model.isLastUsed)
                }
            }
            .task(id: ObjectIdentifier(auth)) {
                for await last in auth.lastSignIns { received = last }
            }
        }
    }

    extension SignInPicker where Logo == EmptyView {
        /// Makes a picker whose buttons have no logos, except Apple's and a passkey's.
        public init(
            wording: SignInButtonWording = .signIn, texts: SignInButtonTexts? = nil,
            styles: [ProviderID: SignInButtonStyle] = [:], requests: [ProviderID: AuthRequest] = [:]
        ) {
            self.init(wording: wording, texts: texts, styles: styles, requests: requests) { _ in EmptyView() }
        }
    }
#endif
