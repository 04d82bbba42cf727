import AuthStreams

extension FirebaseRepository {
    /// The way of a provider, ready to be gone.
    enum Path {
        case idp(ProviderID?)
        case customToken(SocialAuthCoordinator)
    }

    /// - Throws: `unsupportedProvider` where there is no route.
    func path(of provider: ProviderID) throws(AuthError) -> Path {
        switch routes[provider]?.way {
        case .idp(let name): return .idp(name)
        case .coordinator(let coordinator): return .customToken(coordinator)
        case .function(let function, let location, let format):
            let functions = CallableFunctions(
                project: project, at: location, transport: transport, clock: toolkit.clock)
            return .customToken(
                SocialAuthCoordinator(
                    source: SocialLoginFunction(functions, function: function, format: format), firebase: toolkit))
        case nil:
            throw AuthError(
                .unsupportedProvider,
                "The Firebase repository has no route for \(provider). Add one to its routes.")
        }
    }

    /// Completes the tokens of a user whose session they go on with.
    func session(
        of tokens: IdentityToolkit.Tokens, from provider: ProviderID
    ) async throws(AuthError) -> Session {
        do throws(AuthError) { return identified(try await toolkit.session(of: tokens, from: provider)) } catch {
            guard error.code == .sessionExpired else { throw error }
            // The tokens were just given, so this says something about the project and not about the session.
            throw AuthError(
                .misconfigured,
                "Firebase refused the ID token that it had just issued. Check the project's API key and tenant.",
                serverCode: error.serverCode)
        }
    }

    /// The provider of a route that goes by that name: its own, or what its function calls it, in any case.
    func route(named name: String) -> ProviderID? {
        let name = name.lowercased()
        return routes.first { provider, route in
            [provider.rawValue, route.functionsName(of: provider)].contains { $0?.lowercased() == name }
        }?.key
    }
}

extension FirebaseRepository {
    /// The same session, whose user's providers are those of the routes, functions' included.
    func identified(_ session: Session) -> Session {
        var session = session
        session.user = identified(session.user)
        return session
    }

    /// The same user, whose providers are those of the routes.
    func identified(_ user: AuthUser) -> AuthUser {
        var user = user
        for index in user.providers.indices {
            user.providers[index].id = provider(atFirebase: user.providers[index].id)
        }
        for identity in [ownIdentity(of: user)].compactMap(\.self) + linkedIdentities(of: user)
        where !user.providers.contains(where: { $0.id == identity.id }) {
            user.providers.append(identity)
        }
        return user
    }

    /// The user after a refresh: what a function linked is what the new ID token says, and nothing that the old one said.
    func refreshed(_ user: AuthUser, by idToken: Secret) -> AuthUser {
        let before = linkedIdentities(of: user)
        var user = user
        user.providers.removeAll { provider in
            before.contains { $0.id == provider.id && $0.userID == provider.userID }
        }
        return identified(user.updated(by: idToken))
    }

    /// What a user of a function is called by: `kakao:1001` is Kakao's 1001, and cannot stop to be.
    func ownIdentity(of user: AuthUser) -> AuthUser.LinkedProvider? {
        let parts = user.id.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let provider = route(named: String(parts[0])), routes[provider]?.isCustom == true else {
            return nil
        }
        return AuthUser.LinkedProvider(id: provider, userID: String(parts[1]))
    }

    /// What a function has linked to the user, as it writes it down in the claim `identities`.
    private func linkedIdentities(of user: AuthUser) -> [AuthUser.LinkedProvider] {
        (user.claims["identities"]?.object ?? [:]).sorted { $0.key < $1.key }.compactMap { name, userID in
            guard let provider = route(named: name), routes[provider]?.isCustom == true else { return nil }
            return AuthUser.LinkedProvider(id: provider, userID: userID.text)
        }
    }

    /// The provider that goes by that name at Firebase, such as `oidc.line`.
    func provider(atFirebase name: ProviderID) -> ProviderID {
        routes.first { $0.value.nameAtFirebase == name }?.key ?? name
    }

    /// The same error, whose conflict names providers as the routes do.
    func named(_ error: AuthError) -> AuthError {
        guard var conflict = error.conflict else { return error }
        conflict.providers = conflict.providers.map(provider(atFirebase:))
        var error = error
        error.conflict = conflict
        return error
    }
}

extension FirebaseRoute {
    /// Whether a custom token signs in, so that Firebase does not know the provider.
    var isCustom: Bool {
        if case .idp = way { false } else { true }
    }

    /// Whether the function is known to link nothing without being asked.
    var linksNothing: Bool {
        guard case .function(_, _, let format) = way else { return false }
        return format.action == nil || format.provider == nil
    }

    /// Another name that the provider has at Firebase.
    fileprivate var nameAtFirebase: ProviderID? {
        if case .idp(let name) = way { name } else { nil }
    }

    /// What the route's function calls a provider; `nil` for a route without one.
    fileprivate func functionsName(of provider: ProviderID) -> String? {
        guard case .function(_, _, let format) = way else { return nil }
        return format.name(of: provider)
    }
}
