import AuthStreams

extension FirebaseRepository {
    /// A provider's route, with its clients.
    enum Path {
        case idp(ProviderID?)
        case customToken(SocialAuthCoordinator)
        case email(IdentityToolkit.EmailProof)
    }

    /// The route of a credential, with its clients.
    ///
    /// - Throws: `unsupportedProvider` if there is no route; `invalidCredential` if an address, a password or a code is missing.
    func path(of credential: Credential) throws(AuthError) -> Path {
        let provider = credential.provider
        guard routes[provider] == nil, [.password, .emailLink].contains(provider) else { return try path(of: provider) }
        return .email(try IdentityToolkit.EmailProof(credential))
    }

    /// - Throws: `unsupportedProvider` if there is no route.
    func path(of provider: ProviderID) throws(AuthError) -> Path {
        switch routes[provider]?.kind {
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

    /// Completes new tokens to the session of the same user.
    func session(
        of tokens: IdentityToolkit.Tokens, from provider: ProviderID
    ) async throws(AuthError) -> AuthSession {
        do throws(AuthError) { return identified(try await toolkit.session(of: tokens, from: provider)) } catch {
            guard error.code == .sessionExpired else { throw error }
            // The tokens were just issued, so the error concerns the project and not the session.
            throw AuthError(
                .misconfigured,
                "Firebase refused the ID token that it had just issued. Check the project's API key and tenant."
            ).quotingServer(of: error)
        }
    }

    /// Returns the provider of the route with that name: its own, or the function's name for it, in any case.
    func route(named name: String) -> ProviderID? {
        let name = name.lowercased()
        return routes.first { provider, route in
            [provider.rawValue, route.functionsName(of: provider)].contains { $0?.lowercased() == name }
        }?.key
    }
}

extension FirebaseRepository {
    /// Returns the same session, with the user's providers named as the routes name them, functions' included.
    func identified(_ session: AuthSession) -> AuthSession {
        var session = session
        session.user = identified(session.user)
        return session
    }

    /// Returns the same user, with providers named as the routes name them.
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

    /// Returns the user after a refresh. The new ID token replaces the identities that a function linked.
    func refreshed(_ user: AuthUser, by claims: FirebaseClaims) -> AuthUser {
        let before = linkedIdentities(of: user)
        var user = user
        user.providers.removeAll { provider in
            before.contains { $0.id == provider.id && $0.userID == provider.userID }
        }
        return identified(user.updated(by: claims))
    }

    /// Returns the identity in the uid of a function's user: `kakao:1001` is Kakao's 1001, permanently.
    func ownIdentity(of user: AuthUser) -> AuthUser.LinkedProvider? {
        let parts = user.id.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let provider = route(named: String(parts[0])), routes[provider]?.isCustom == true else {
            return nil
        }
        return AuthUser.LinkedProvider(id: provider, userID: String(parts[1]))
    }

    /// Returns the identities that a function has linked to the user, from the claim `identities`.
    private func linkedIdentities(of user: AuthUser) -> [AuthUser.LinkedProvider] {
        (user.claims["identities"]?.object ?? [:]).sorted { $0.key < $1.key }.compactMap { name, userID in
            guard let provider = route(named: name), routes[provider]?.isCustom == true else { return nil }
            return AuthUser.LinkedProvider(id: provider, userID: userID.text)
        }
    }

    /// Returns the provider with that name at Firebase, such as `oidc.line`.
    func provider(atFirebase name: ProviderID) -> ProviderID {
        routes.first { $0.value.nameAtFirebase == name }?.key ?? name
    }

    /// Returns the same error, with the conflict's providers named as the routes name them.
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
        if case .idp = kind { false } else { true }
    }

    /// Whether the function is known not to link.
    var linksNothing: Bool {
        guard case .function(_, _, let format) = kind else { return false }
        return format.action == nil || format.provider == nil
    }

    /// The provider's other name at Firebase.
    fileprivate var nameAtFirebase: ProviderID? {
        if case .idp(let name) = kind { name } else { nil }
    }

    /// The function's name for a provider; `nil` for a route without a function.
    fileprivate func functionsName(of provider: ProviderID) -> String? {
        guard case .function(_, _, let format) = kind else { return nil }
        return format.name(of: provider)
    }
}
