import Foundation

/// The providers that an app was made with, and which of them a sign-in asks for.
struct ProviderRegistry: Sendable {
    private let providers: [any AuthProvider]
    private let callbacks: CallbackRouter

    /// - Parameter callbacks: The router that the service gives the URLs of the app to.
    init(_ providers: [any AuthProvider], callbacks: CallbackRouter) {
        self.providers = providers
        self.callbacks = callbacks
    }

    /// Each provider once, in the order of registration.
    var ids: [ProviderID] {
        var seen: Set<ProviderID> = []
        return providers.map(\.id).filter { seen.insert($0).inserted }
    }

    /// Each way of each provider that a person may tap, in the order of registration.
    var methods: [SignInMethod] {
        providers.flatMap { provider in
            provider.methodKinds.filter { !$0.isQuiet }.map { SignInMethod(provider.id, using: $0) }
        }
    }

    /// The provider for a method: where no kind is named, the one that was registered first.
    ///
    /// - Throws: `unsupportedProvider` when there is none, `misconfigured` when two claim the same way of one provider,
    ///   because the app did not say which of them runs, when it waits for its answers on another router, or when another
    ///   provider answers at one of its URLs.
    func provider(for method: SignInMethod) throws(AuthError) -> any AuthProvider {
        let candidates = providers.filter { $0.id == method.provider }
        // A provider may list one of its own kinds twice.
        if let shared = repeated(candidates.flatMap { Set($0.methodKinds) }) {
            throw AuthError(
                .misconfigured,
                "Two providers are registered for \(method.provider) by method kind '\(shared)'. Register each kind once.",
                provider: method.provider)
        }
        let kind = method.kind
        guard let provider = candidates.first(where: { kind.map($0.methodKinds.contains) ?? true }) else {
            throw AuthError(.unsupportedProvider, explanation(candidates, method), provider: method.provider)
        }
        guard provider.callbackRouters.allSatisfy({ $0 === callbacks }) else {
            throw AuthError(
                .misconfigured,
                """
                The provider \(method.provider) waits for its answers on a CallbackRouter of its own, to which the service gives no URL. \
                Make the provider and its user agent with the router of the service: the platform's `callbacks`.
                """, provider: method.provider)
        }
        let urls = provider.callbackURLs
        for other in providers where other.id != provider.id {
            guard let shared = urls.first(where: other.answers(at:)) else { continue }
            throw AuthError(
                .misconfigured,
                """
                The providers \(method.provider) and \(other.id) answer at the same URL, \(AuthError.scrubbed(shared)), so an \
                answer of one could be taken for that of the other. Give each a URL of its own, such as another path.
                """, provider: method.provider)
        }
        return provider
    }

    /// Returns a method without a kind that the provider does not have; `nil` if there is no such provider, as after an update of
    /// the app. It keeps no provider alive.
    var offeredMethod: @Sendable (SignInMethod) -> SignInMethod? {
        let methods = methods
        return { method in
            if methods.contains(method) { return method }
            return methods.contains { $0.provider == method.provider } ? SignInMethod(method.provider) : nil
        }
    }

    /// Whether a URL has the form of an answer of one of them.
    func isCallback(_ url: URL) -> Bool { providers.contains { $0.answers(at: url) } }

    /// What the providers report, by their identifiers.
    var revocations: [ProviderID: [RevocationReports]] {
        providers.reduce(into: [:]) { all, provider in
            if let reports = provider.revocations { all[provider.id, default: []].append(reports) }
        }
    }

    /// The provider with that identifier whose answers have the form of a URL.
    func provider(_ id: ProviderID, ofCallback url: URL) -> (any AuthProvider)? {
        providers.first { $0.id == id && $0.answers(at: url) }
    }

    /// The provider at which that user can prove who they are.
    ///
    /// - Parameters:
    ///   - named: The one that the caller wants; without it there is no other.
    ///   - begun: The one that was asked before, for the same.
    /// - Returns: `nil` when none of the user's was registered.
    func provider(
        of session: AuthSession, preferring named: ProviderID?, else begun: ProviderID? = nil,
        using kind: SignInMethod.Kind?
    ) throws(AuthError) -> (any AuthProvider)? {
        if let named { return try provider(for: SignInMethod(named, using: kind)) }
        let theirs = [begun].compactMap(\.self) + session.identities
        guard let id = theirs.first(where: ids.contains) else { return nil }
        return try provider(for: SignInMethod(id, using: kind))
    }

    /// The provider at which that user can prove who they are.
    ///
    /// - Throws: `unsupportedProvider` when none of theirs was registered.
    func requiredProvider(
        of session: AuthSession, preferring named: ProviderID? = nil, using kind: SignInMethod.Kind? = nil
    ) throws(AuthError) -> any AuthProvider {
        guard let provider = try provider(of: session, preferring: named, using: kind) else {
            throw .withoutProvider(of: session)
        }
        return provider
    }

    private func repeated(_ kinds: [SignInMethod.Kind]) -> SignInMethod.Kind? {
        var seen: Set<SignInMethod.Kind> = []
        return kinds.first { !seen.insert($0).inserted }
    }

    private func explanation(_ candidates: [any AuthProvider], _ method: SignInMethod) -> String {
        if providers.isEmpty { return "The service was made without any provider. Add one to its providers." }
        if candidates.isEmpty {
            return "No provider \(method.provider) was given to the service. Add one to its providers."
        }
        let offered = candidates.flatMap(\.methodKinds).map(\.rawValue).joined(separator: ", ")
        return "No provider \(method.provider) by that method kind was given to the service. It has: \(offered)."
    }
}

extension AuthProvider {
    /// Whether a URL that the app was opened with has the form of an answer.
    fileprivate func answers(at url: URL) -> Bool { callbackURLs.contains { RedirectURI.matches(url, $0) } }
}

extension AuthError {
    fileprivate static func withoutProvider(of session: AuthSession) -> Self {
        AuthError(
            .unsupportedProvider,
            session.user.isAnonymous
                ? "An anonymous user has no identity to prove. Link one first."
                : "None of the user's providers was given to the service. Add one to its providers, or name another.",
            provider: session.provider)
    }
}
