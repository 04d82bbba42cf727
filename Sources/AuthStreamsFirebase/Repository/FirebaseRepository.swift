public import AuthStreams
public import Foundation

/// Firebase Authentication over REST, without the Firebase SDK.
///
/// ```swift
/// let repository = FirebaseRepository(
///     project: FirebaseProject(id: "my-app", apiKey: "AIza…"),
///     routes: .standard(functionsIn: .seoul),
///     functions: .standard(in: .seoul),
///     transport: URLSessionTransport())
/// ```
///
/// In a service that is made for a platform it is `.firebase(id:apiKey:functionsIn:)` or
/// `.firebase(plist:functionsIn:)`.
///
/// A session's access token is Firebase's ID token. Its user is the one of `accounts:lookup`, with the project's custom
/// claims. A refresh updates the claims and with them the identities that a function has linked.
///
/// | question | answer |
/// | --- | --- |
/// | how many requests? | a sign-in, a link, a re-authentication two (three through a function), an adoption, an unlink, a profile change two, a refresh, a reload, a deletion, a revocation one, a sign-out none |
/// | what ends a session? | `userNotFound`, `userDisabled`, `sessionExpired`: Firebase's own codes, with 4xx |
/// | may a refresh token be sent again? | yes: Firebase's stay valid if an answer was lost |
/// | is anything retried? | no |
/// | which further steps does it ask for? | the code of an authenticator app, after a password, a mail link, Apple or Google |
/// | which providers has a user? | those that Firebase knows, and those that a function signs in: by the uid (`kakao:1001`) and by the claim `identities` |
public struct FirebaseRepository: AuthRepository {
    let project: FirebaseProject
    let routes: [ProviderID: FirebaseRoute]
    let functions: AccountFunctions?
    let transport: any AuthHTTPTransport
    let toolkit: IdentityToolkit

    /// Makes a repository.
    ///
    /// - Parameters:
    ///   - project: The project of the users.
    ///   - routes: The route of each provider's credentials. A provider without one cannot sign in.
    ///   - functions: The project's revocation functions; `nil` for none.
    ///   - transport: Sends the requests.
    ///   - clock: Computes when a token expires, and measures the time limit of the App Check token.
    public init(
        project: FirebaseProject, routes: [ProviderID: FirebaseRoute] = .standard(),
        functions: AccountFunctions? = nil, transport: any AuthHTTPTransport, clock: AuthClock = .system
    ) {
        self.project = project
        self.routes = routes
        self.functions = functions
        self.transport = transport
        toolkit = IdentityToolkit(project: project, transport: transport, clock: clock)
    }

    /// Returns whether there is a route for the provider. Passwords and mail links need none.
    public func accepts(_ provider: ProviderID) -> Bool {
        routes[provider] != nil || provider == .password || provider == .emailLink
    }

    /// Firebase compares the nonce in the ID tokens of its OpenID Connect providers with the SHA-256 of the one that it is sent.
    public func hashesNonce(of provider: ProviderID) -> Bool {
        guard case .idp(let name)? = routes[provider]?.kind else { return false }
        return (name ?? provider).rawValue.hasPrefix("oidc.")
    }

    /// Firebase's refresh tokens can be used any number of times.
    public var refreshTokenRule: RefreshTokenRule { .reusable }

    /// Creates a session from a credential, on the provider's route.
    ///
    /// - Throws: `AuthError`; `accountExists` if the e-mail's account has other providers and Firebase does not know
    ///   that it is the same person. Its conflict has the e-mail, those providers, and a credential that links or signs
    ///   in once: Firebase's pending token, otherwise the parts of the attempt's credential that can be used again, if
    ///   any. `secondFactorRequired` with a challenge if the account has an authenticator app.
    public func signIn(with credential: Credential) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            switch try path(of: credential) {
            case .idp(let name):
                let tokens = try await toolkit.signInWithIdp(IdpAssertion(credential, as: name))
                return identified(try await toolkit.session(of: tokens, from: credential.provider))
            case .customToken(let coordinator):
                return identified(try await coordinator.signIn(with: credential))
            case .email(let proof):
                return identified(
                    try await toolkit.session(
                        ofOneTime: try await toolkit.signIn(by: proof), from: credential.provider))
            }
        } catch {
            throw named(error).asking(for: credential.provider)
                .located(provider: credential.provider, step: .establishingSession)
        }
    }

    /// Makes an account with an address and a password. The address is not verified yet.
    ///
    /// - Throws: `AuthError`; `accountExists` if there is one, `invalidInput` for a password that breaks the project's rules, which
    ///   the server's message says; `unsupportedProvider` before any request for another provider, whose first sign-in makes the
    ///   account.
    public func signUp(with credential: Credential) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            guard case .email(.password(let email, let password)) = try path(of: credential) else {
                throw AuthError(
                    .unsupportedProvider, "The first sign-in makes the account. Call `signIn(with:)` for this provider."
                )
            }
            let tokens = try await toolkit.signUp(email: email, password: password)
            var session = identified(try await toolkit.session(ofOneTime: tokens, from: credential.provider))
            session.isNewUser = true
            return session
        } catch {
            throw named(error).located(provider: credential.provider, step: .establishingSession)
        }
    }

    /// Sends a mail.
    ///
    /// | the mail | consequence |
    /// | --- | --- |
    /// | with a link for signing in | its code comes back in the query of the URL, as `oobCode` |
    /// | for a new password | an address without an account is no error |
    /// | for confirming the user's address | ``reload(_:)`` learns of it, and the next refresh |
    ///
    /// - Throws: `AuthError`; `misconfigured` if the project has no mail links, or the URL's domain is not authorized in the Firebase
    ///   console; `invalidInput` if the user whose address is to be confirmed has none.
    public func prepare(_ preparation: Preparation, in session: AuthSession?) async throws(AuthError) -> AuthJSON {
        do throws(AuthError) { try await toolkit.send(preparation, for: session?.accessToken) } catch {
            switch preparation {
            case .emailLink: throw error.located(provider: .emailLink)
            // Said by projects that do not protect addresses.
            case .passwordReset where error.serverCode == "EMAIL_NOT_FOUND": break
            case .passwordReset: throw error.located(provider: .password)
            case .passkeyAssertion, .passkeyRegistration: throw error
            case .emailVerification: throw error.inTermsOfIDToken.located(provider: session?.provider)
            }
        }
        return .null
    }

    /// Creates a session for a new user without an identity.
    ///
    /// - Throws: `AuthError`; `misconfigured` unless *Anonymous* is enabled in the Firebase console.
    public func signInAnonymously() async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            return try await toolkit.session(ofOneTime: try await toolkit.signInAnonymously(), from: .anonymous)
        } catch {
            throw error.located(provider: .anonymous, step: .establishingSession)
        }
    }

    /// Gets the next ID token, in one request.
    ///
    /// - Returns: The same user's session, with the refresh token of the answer, or the old one if it had none.
    /// - Throws: `AuthError`; `invalidResponse` if the answer is another user's; `sessionExpired` if the new ID token says
    ///   that the person withdrew the app's access at the session's provider after the sign-in (<doc:RevokingFunctions>).
    public func refresh(_ session: AuthSession) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            guard let refreshToken = session.refreshToken?.present else {
                throw AuthError(.sessionExpired, "The session has no refresh token, so it ends with its ID token.")
            }
            let tokens = try await toolkit.refresh(refreshToken)
            guard tokens.userID == session.user.id else {
                throw AuthError(.invalidResponse, "The refresh answered with another user's tokens; they are not kept.")
            }
            return try allowed(
                AuthSession(
                    accessToken: tokens.idToken, refreshToken: tokens.refreshToken ?? refreshToken,
                    expiresAt: toolkit.clock.expiry(after: tokens.lifetime),
                    user: refreshed(session.user, by: tokens.claims),
                    provider: session.provider, issuedAt: tokens.issuedAt))
        } catch {
            throw error.located(provider: session.provider)
        }
    }

    /// Does nothing: Firebase has no request for it. Deleting the tokens is the sign-out.
    public func signOut(_ session: AuthSession) async throws(AuthError) {}

    /// Deletes the user at Firebase.
    ///
    /// - Throws: `AuthError`; `requiresRecentSignIn` if the last sign-in was more than some minutes ago;
    ///   `invalidCredential` if Firebase refuses the session's ID token, which ends no session: refresh, then repeat.
    public func deleteAccount(_ session: AuthSession) async throws(AuthError) {
        do throws(AuthError) { try await toolkit.delete(session.accessToken) } catch {
            throw error.inTermsOfIDToken.located(provider: session.provider)
        }
    }
}

extension FirebaseRepository {
    /// Returns the session with the user of `accounts:lookup`, and with the account's current custom claims.
    ///
    /// - Throws: `AuthError`; `userNotFound` or `userDisabled` if the user was deleted or disabled; `invalidCredential` if
    ///   Firebase refuses the session's ID token, which ends no session: refresh, then repeat.
    public func reload(_ session: AuthSession) async throws(AuthError) -> AuthSession {
        do throws(AuthError) { return try await reloaded(session) } catch {
            throw error.inTermsOfIDToken.located(provider: session.provider)
        }
    }

    /// Changes the user's name and picture at Firebase, and looks the user up. No recent sign-in is required.
    ///
    /// - Throws: `AuthError`, as ``reload(_:)`` does. After a failed look-up the change is made all the same; it can be
    ///   repeated.
    public func updateProfile(_ changes: ProfileChanges, of session: AuthSession) async throws(AuthError) -> AuthSession
    {
        do throws(AuthError) {
            let tokens = try await toolkit.updateProfile(changes, of: session.accessToken)
            guard let tokens else { return try await reloaded(session) }
            return try await reloaded(try session.taking(tokens, clock: toolkit.clock))
        } catch {
            throw error.inTermsOfIDToken.located(provider: session.provider)
        }
    }

    func reloaded(_ session: AuthSession) async throws(AuthError) -> AuthSession {
        let user = identified(try await toolkit.account(of: session.accessToken))
        guard user.id == session.user.id else { throw .anothersAnswer }
        var session = session
        session.user = user
        session.isNewUser = false
        return session
    }

    /// Returns the same session, unless its ID token says that the person withdrew the app's access at its provider.
    func allowed(_ session: AuthSession) throws(AuthError) -> AuthSession {
        let claims = FirebaseClaims(session.accessToken)
        guard ![session.provider, nameAtFirebase(of: session.provider)].contains(where: claims.isRevoked) else {
            throw AuthError(
                .sessionExpired, "The person withdrew the app's access at \(session.provider) after this sign-in.",
                endsSession: .revokedAtProvider)
        }
        return session
    }
}

extension FirebaseRepository {
    /// Creates a session from another SDK's refresh token, such as that of Firebase's SDK in an earlier version of the
    /// app.
    ///
    /// Two requests: a refresh, then a look-up of its user. Firebase's refresh tokens can be used any number of times,
    /// so nothing is lost if either fails: keep the token and call again. Other sessions with the same token stay
    /// valid.
    ///
    /// | `firebase.sign_in_provider` of the ID token | `AuthSession.provider` |
    /// | --- | --- |
    /// | `google.com`, `apple.com`, `password`, … | that |
    /// | `custom` | the custom claim `provider`, or the part of the uid before the colon (`kakao:1001`), if there is a route of that name; otherwise the first linked provider; otherwise `custom` |
    ///
    /// - Returns: The session, with the refresh token of the answer, or the given one if it had none.
    /// - Throws: `AuthError`: `invalidCredential` before any request for a token that is empty or has spaces or control
    ///   characters; `sessionExpired`, `userNotFound`, `userDisabled` if Firebase says that it is over; `misconfigured`
    ///   for another project's token; otherwise as ``refresh(_:)`` does.
    public func adopt(_ adoptable: AdoptableSession) async throws(AuthError) -> AuthSession {
        let refreshToken = adoptable.refreshToken
        guard !refreshToken.isEmpty, refreshToken.reveal().isPrintableASCII else {
            throw AuthError(
                .invalidCredential, "The refresh token is empty, or has spaces or control characters, so it is none.")
        }
        let tokens = try await toolkit.refresh(refreshToken)
        var session = try await session(of: tokens, from: .custom)
        session.refreshToken = tokens.refreshToken ?? refreshToken
        session.provider = provider(of: session)
        return try allowed(session)
    }

    private func provider(of session: AuthSession) -> ProviderID {
        let claims = FirebaseClaims(session.accessToken)
        if let name = claims.signInProvider, name != ProviderID.custom.rawValue {
            let provider = ProviderID(rawValue: name)
            let linked = session.user.providers.map(\.id)
            // Firebase names a sign-in by a mail link like one by a password.
            return provider == .password && !linked.contains(.password) && linked.contains(.emailLink)
                ? .emailLink : provider
        }
        let names = [claims.custom["provider"]?.text, session.user.id.split(separator: ":").first.map(String.init)]
        return names.compactMap(\.self).lazy.compactMap(route(named:)).first
            ?? session.user.providers.first?.id ?? .custom
    }
}

extension AuthRepositoryFactory {
    /// Firebase Authentication: Apple and Google by `signInWithIdp`, Kakao and Naver through the callable function
    /// `socialLogin`. See ``FirebaseRepository``.
    ///
    /// - Parameters:
    ///   - id: The project's identifier, such as `my-app-1a2b3`.
    ///   - apiKey: The Web API key of the console. It identifies the project and is not secret.
    ///   - region: The region of the function.
    public static func firebase(
        id: String, apiKey: String, functionsIn region: FunctionsRegion = .usCentral1
    ) -> Self {
        .firebase(FirebaseProject(id: id, apiKey: apiKey), routes: .standard(functionsIn: region))
    }

    /// Firebase Authentication, by the file `GoogleService-Info.plist` of the Firebase console.
    ///
    /// ```swift
    /// .firebase(functionsIn: .seoul)
    /// .firebase(plist: Bundle.main.url(forResource: "GoogleService-Info-Dev", withExtension: "plist"), functionsIn: .seoul)
    /// ```
    ///
    /// - Parameters:
    ///   - plist: The file, which is read here; that of the app's bundle unless given. With one that cannot be used each attempt
    ///     ends with `misconfigured`; see ``FirebaseProject/init(plist:bundleID:)``.
    ///   - region: The region of the function.
    public static func firebase(
        plist: URL? = FirebaseProject.bundledPlist, functionsIn region: FunctionsRegion = .usCentral1
    ) -> Self {
        .firebase(FirebaseProject(plist: plist), routes: .standard(functionsIn: region))
    }

    /// Firebase Authentication, by a project with further settings.
    ///
    /// - Parameters:
    ///   - project: The project of the users.
    ///   - routes: The route of each provider's credentials. A provider without one cannot sign in.
    ///   - functions: The project's revocation functions; `nil` for none.
    public static func firebase(
        _ project: FirebaseProject, routes: [ProviderID: FirebaseRoute] = .standard(),
        functions: AccountFunctions? = nil
    ) -> Self {
        Self { platform in
            FirebaseRepository(
                project: project, routes: routes, functions: functions, transport: platform.transport,
                clock: platform.clock)
        }
    }
}

extension ProviderID {
    /// Firebase's name for a sign-in with a custom token.
    fileprivate static let custom: Self = "custom"
}
