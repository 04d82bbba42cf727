public import AuthStreams
public import Foundation

/// Sign-in by a link that is sent to the person's e-mail address.
///
/// ```swift
/// let auth = AuthService(
///     .firebase(…), providers: [.emailLink(continueURL: URL(string: "https://app.example.com/signed-in")!)], platform: .app)
/// let user = try await auth.signIn(with: .emailLink, AuthRequest(loginHint: address)).value.user
/// ```
///
/// The address is the request's `AuthRequest.loginHint`; without one the person is asked by `AuthPrompt.address`. Meanwhile
/// `AuthPrompt.link` says where the mail went and sends another one. It needs no presenter: an app may show its own view. The
/// attempt ends when the link opens the app and `AuthService.handle(_:)` receives it, when it is cancelled, or after a day.
///
/// | where the link is opened | consequence |
/// | --- | --- |
/// | in the process that asked for it | the attempt continues |
/// | after the app was ended, within a day, while the same user is signed in, or none | the attempt is resumed, once |
/// | on another device, or a second time, while no user is signed in | the person is asked for the address, and the server decides |
/// | while the person is asked for the address of an earlier link | the later link takes its place |
/// | on another device, or a second time, while a user is signed in | ignored: an event `AuthEvent.Kind.callbackIgnored` |
///
/// The address is stored beside the session until the link is opened, another one is asked for, or the person signs in or out. After
/// a day it is not used.
public struct EmailLinkProvider: AuthProvider, LinkOpening {
    /// `emailLink`.
    public var id: ProviderID { .emailLink }
    /// The URLs by which the link opens the app.
    public let callbackURLs: [URL]
    /// The router of the service.
    public var callbackRouters: [CallbackRouter] { [callbacks] }

    private let continueURL: URL
    private let callbacks: CallbackRouter
    private let clock: AuthClock

    /// The wait until another mail is sent.
    private static let resendAfter = Duration.seconds(60)

    /// Makes the provider.
    ///
    /// - Parameters:
    ///   - continueURL: The URL that the link leads to, with the server's code in its query: an https link that the app claims, of
    ///     no other use.
    ///   - linkURL: The URL by which the link opens the app, if it is another one and has the link in its query. With Firebase it is
    ///     `https://LINK-DOMAIN/__/auth/links`.
    ///   - callbacks: The router of the service.
    ///   - clock: Measures the day.
    public init(continueURL: URL, linkURL: URL? = nil, callbacks: CallbackRouter, clock: AuthClock = .system) {
        self.continueURL = continueURL
        self.callbacks = callbacks
        self.clock = clock
        callbackURLs = [continueURL] + [linkURL].compactMap(\.self)
    }

    /// Returns one attempt.
    ///
    /// Errors: `cancelled`; `timedOut` after a day; `misconfigured` outside of a use case, or without an address if nothing shows
    /// prompts; those of the repository, which sends the mail.
    public func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        AuthStream { try await attempt(request) }
            .timeout(.linkLifetime, clock: clock)
    }

    private func attempt(_ request: AuthRequest) async throws(AuthError) -> Credential {
        try requireMethodKind(of: request)
        try request.requireQuestions(of: id)
        let address = try await address(for: request)
        // Before the mail is sent, so that its link is not missed.
        let expectation = callbacks.expect { [self] url in
            callbackURLs.contains { RedirectURI.matches(url, $0) } && Self.code(in: url) != nil
        }
        let send: @Sendable () async throws(AuthError) -> Void = { [continueURL] () async throws(AuthError) in
            _ = try await AuthError.wrapping {
                try await request.prepare(.emailLink(to: address, continueURL: continueURL))
            }
        }
        let forget = await request.keepLink(address)
        let wait = AuthStream {
            guard let url = await expectation.callback(), let code = Self.code(in: url) else {
                throw AuthError.cancelled
            }
            return Self.credential(address: address, code: code, isBound: true)
        }.interrupted { await Self.prompt(request.prompter, linkTo: address, sending: send) }
        do throws(AuthError) {
            try await send()
            let credential = try await wait.value
            await forget()
            return credential
        } catch {
            await forget()
            throw error
        }
    }

    private func address(for request: AuthRequest) async throws(AuthError) -> String {
        if let address = request.loginHint { return address }
        guard case .address(let address) = try await request.prompter.answer(to: Challenge(.address)) else {
            throw AuthError(.unexpected, "The prompt was answered by something else than an address.", provider: id)
        }
        return address
    }

    /// Shows where the mail went, and sends another one when the person asks for it.
    ///
    /// - Returns: The person's cancel; `nil` if nothing shows prompts.
    private static func prompt(
        _ prompter: Prompter, linkTo address: String, sending send: @Sendable () async throws(AuthError) -> Void
    ) async -> AuthError? {
        var failure: AuthError?
        while true {
            // A mail that could not be sent may be sent again at once, unless the server wants a pause.
            let pause = failure.map { $0.retryAfter ?? .zero } ?? resendAfter
            let link = Challenge.Link(to: address, resendAfter: pause)
            let challenge = Challenge(.link(link), expiresIn: .linkLifetime)
            do throws(AuthError) {
                _ = try await prompter.answer(to: challenge, after: failure)
            } catch {
                return Task.isCancelled || [.misconfigured, .timedOut].contains(error.code) ? nil : error
            }
            do throws(AuthError) {
                try await send()
                failure = nil
            } catch { failure = error }
        }
    }

    /// Returns the attempt of a link that opened the app, without the attempt that asked for it.
    ///
    /// - Parameter address: Where it was sent; `nil` if this device does not know.
    /// - Returns: `nil` for a URL without a code for signing in.
    package func opened(_ url: URL, sentTo address: String?) -> (any AuthProvider)? {
        Self.code(in: url).map { OpenedLink(base: self, code: $0, address: address) }
    }

    fileprivate static func credential(address: String, code: Secret, isBound: Bool) -> Credential {
        var credential = Credential(provider: .emailLink, authorizationCode: .init(code: code), isBound: isBound)
        credential.address = address
        return credential
    }

    /// Returns the server's code in a link, or in the link that stands in its query; `nil` if the link is for something else than
    /// signing in, such as a new password.
    fileprivate static func code(in url: URL, depth: Int = 0) -> Secret? {
        let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
        let value = { (name: String) in items.first { $0.name == name }?.value }
        if let code = value("oobCode") ?? value("code"), !code.isEmpty {
            return [nil, "signIn"].contains(value("mode")) ? Secret(code) : nil
        }
        guard depth < 2, let inner = value("link").flatMap({ URL(string: $0) }) else { return nil }
        return code(in: inner, depth: depth + 1)
    }

    /// A link that opened the app, as a provider whose attempt has its answer already.
    private struct OpenedLink: AuthProvider {
        let base: EmailLinkProvider
        let code: Secret
        let address: String?

        var id: ProviderID { base.id }

        func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
            AuthStream {
                if let address { return EmailLinkProvider.credential(address: address, code: code, isBound: true) }
                // The person may have been sent a link of someone else's.
                let entered = try await base.address(for: request)
                return EmailLinkProvider.credential(address: entered, code: code, isBound: false)
            }
        }
    }
}

extension AuthProviderFactory {
    /// Sign-in by a link that is sent to the person's e-mail address; see ``EmailLinkProvider``.
    ///
    /// - Parameters:
    ///   - continueURL: The URL that the link leads to.
    ///   - linkURL: The URL by which the link opens the app, if it is another one.
    public static func emailLink(continueURL: URL, linkURL: URL? = nil) -> Self {
        Self {
            EmailLinkProvider(continueURL: continueURL, linkURL: linkURL, callbacks: $0.callbacks, clock: $0.clock)
        }
    }
}
