public import AuthStreams
import Foundation

/// Supabase Auth over REST, without Supabase's SDK.
///
/// ```swift
/// let repository = SupabaseRepository(
///     project: SupabaseProject(url: URL(string: "https://abcdefgh.supabase.co")!, key: "sb_publishable_…"),
///     transport: URLSessionTransport())
/// ```
///
/// In a service that is made for a platform it is `.supabase(url:key:)`.
///
/// A session's access token is Supabase's JSON Web Token, which the project's database and functions take. The claims of its user
/// are `app_metadata`.
///
/// | question | answer |
/// | --- | --- |
/// | how many requests? | one each; an answer to a prompt for an authenticator app two, a link of an address or number two, an unlink three, a new authenticator app two or more |
/// | what ends a session? | `session_not_found`, `session_expired`, `refresh_token_not_found`, `refresh_token_already_used`, `user_not_found`, `user_banned`, with 4xx |
/// | may a refresh token be sent again? | once, after a lost answer: Supabase takes the last token again as long as its successor was not used |
/// | is anything retried? | the code of an authenticator app, once, after a lost answer: otherwise the next refresh would end the session |
/// | which further steps does it ask for? | the code of an authenticator app after any first factor, and a code that was sent |
/// | which providers has a user? | those of Supabase's identities; the one of an address is `password` |
public struct SupabaseRepository: AuthRepository {
    let gotrue: GoTrue
    let providers: [ProviderID: String]

    /// Makes a repository.
    ///
    /// - Parameters:
    ///   - project: The project of the users.
    ///   - providers: The providers whose ID tokens the project takes, by their names at Supabase, such as `"azure"` or
    ///     `"custom:line"`. Others cannot sign in. Naver has no ID tokens.
    ///   - transport: Sends the requests.
    ///   - clock: Computes when a token expires.
    public init(
        project: SupabaseProject,
        providers: [ProviderID: String] = [.apple: "apple", .google: "google", .kakao: "kakao"],
        transport: any AuthHTTPTransport, clock: AuthClock = .system
    ) {
        self.providers = providers
        gotrue = GoTrue(project: project, transport: transport, clock: clock)
    }

    /// Returns whether the project takes the provider's ID tokens. Passwords, codes and mail links are always accepted here; the
    /// project decides.
    public func accepts(_ provider: ProviderID) -> Bool {
        providers[provider] != nil || [.password, .code, .emailLink].contains(provider)
    }

    /// Supabase replaces the refresh token each time, and ends the session at the use of an older one. It takes the last one again
    /// after a lost answer (`tokens/service.go`: `RefreshTokenGrant`), so the one repetition of the library succeeds.
    public var refreshTokenRule: RefreshTokenRule { .singleUse }

    /// `token_oidc.go` compares the claim with the SHA-256 of the parameter, for the ID tokens of every provider.
    public func hashesNonce(of provider: ProviderID) -> Bool { true }

    /// Creates a session from a credential.
    ///
    /// | credential | request |
    /// | --- | --- |
    /// | an ID token, with the provider's access token if there is one | `token?grant_type=id_token` |
    /// | an address, or a phone number, with a password | `token?grant_type=password` |
    /// | an address or a phone number | `otp`, which sends a code, and makes an account if there is none |
    /// | the code of a mail link: its `token_hash` | `verify` |
    ///
    /// The name that Apple gives once is stored in the user's profile, if Supabase has none; whether that succeeds changes nothing.
    ///
    /// - Throws: `AuthError`; `verificationRequired` with a challenge after a code was sent, or without one if the address is not
    ///   confirmed; `secondFactorRequired` with a challenge if the user has an authenticator app: until its code is sent the tokens
    ///   are in the challenge alone. An attempt that ends drops them without revoking them, and Supabase keeps the session of
    ///   the first factor until the user's next second factor.
    public func signIn(with credential: Credential) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            switch try proof(of: credential) {
            case .code(let recipient): throw try await gotrue.sendCode(to: recipient)
            case .tokens(let grant, let body):
                let session = try session(of: try await gotrue.token(grant, body), from: credential.provider)
                return await named(session, by: credential)
            case .mailLink(let hash, let address):
                let body: [String: AuthJSON] = ["type": "email", "token_hash": .string(hash.reveal())]
                let tokens = try GoTrue.Tokens(try await gotrue.send(.post, "verify", body))
                // The hash alone signs in. A link of another address may be one that another person sent.
                guard address == nil || tokens.user["email"]?.text?.lowercased() == address?.lowercased() else {
                    await gotrue.discard(tokens)
                    throw AuthError(.invalidCredential, "The link was sent to another address than the one given.")
                }
                return try session(of: tokens, from: credential.provider)
            }
        } catch {
            throw error.asking(for: credential.provider)
                .located(provider: credential.provider, step: .establishingSession)
        }
    }

    /// Makes an account with an address, or a phone number, and a password: `signup`.
    ///
    /// - Throws: `AuthError`; `verificationRequired` with a challenge for the code of a mail, if the project confirms addresses. The
    ///   link of the same mail confirms the address as well, without a session. `accountExists` if there is an account, also where
    ///   Supabase answers with a made-up user; `invalidInput` for a password that breaks the project's rules, which the explanation
    ///   names; `unsupportedProvider` before any request for another provider, whose first sign-in makes the account.
    public func signUp(with credential: Credential) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            guard credential.provider == .password, case .tokens(_, let body) = try proof(of: credential) else {
                throw AuthError(
                    .unsupportedProvider, "The first sign-in makes the account. Call `signIn(with:)` for this provider."
                )
            }
            let answer = try await gotrue.send(.post, "signup", body)
            if answer["access_token"] != nil {
                var session = try session(of: try GoTrue.Tokens(answer), from: credential.provider)
                session.isNewUser = true
                return session
            }
            // Without a session it is a user that has to be confirmed, or one made up for an address that has an account, which has
            // no identities (`signup.go`: `sanitizeUser`). One who was invited has none there, either.
            guard answer["id"]?.text != nil, let recipient = credential.recipient else {
                throw AuthError(.invalidResponse, "The answer has neither a session nor a user.")
            }
            let isMadeUp = (answer["identities"]?.array ?? []).isEmpty && answer["invited_at"]?.text == nil
            guard !isMadeUp else { throw GoTrueRefusal.accountExists }
            throw GoTrue.Verification(recipient.isPhone ? .sms : .signUp, recipient).question
        } catch {
            throw error.asking(for: credential.provider)
                .located(provider: credential.provider, step: .establishingSession)
        }
    }

    /// Sends a mail.
    ///
    /// | the mail | request | consequence |
    /// | --- | --- | --- |
    /// | with a link for signing in | `otp` | the template of the project's mail decides where its `token_hash` stands; see <doc:UseSupabase> |
    /// | for a new password | `recover` | an address without an account is no error |
    /// | for confirming the user's address | `resend` | nothing is sent if it is confirmed |
    public func prepare(_ preparation: Preparation, in session: AuthSession?) async throws(AuthError) -> AuthJSON {
        switch preparation {
        case .emailLink(let address, let continueURL):
            do throws(AuthError) {
                let query = [(name: "redirect_to", value: continueURL.absoluteString)]
                _ = try await gotrue.send(
                    .post, "otp", query: query, ["email": .string(address), "create_user": true])
            } catch { throw error.located(provider: .emailLink) }
        case .passwordReset(let address):
            do throws(AuthError) { _ = try await gotrue.send(.post, "recover", ["email": .string(address)]) } catch {
                throw error.located(provider: .password)
            }
        case .emailVerification:
            guard let address = session?.user.email else {
                throw AuthError(.invalidInput, "The user has no address to confirm.", provider: session?.provider)
            }
            do throws(AuthError) {
                _ = try await gotrue.send(.post, "resend", ["type": "signup", "email": .string(address)])
            } catch { throw error.located(provider: session?.provider) }
        case .passkeyAssertion, .passkeyRegistration: throw .withoutPasskeys
        }
        return .null
    }

    /// Creates a session for a new user without an identity: `signup` without an address.
    ///
    /// - Throws: `AuthError`; `misconfigured` unless anonymous sign-ins are enabled in Supabase's dashboard.
    public func signInAnonymously() async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            return try session(of: try GoTrue.Tokens(try await gotrue.send(.post, "signup", [:])), from: .anonymous)
        } catch {
            throw error.located(provider: .anonymous, step: .establishingSession)
        }
    }

    /// Gets the next tokens, in one request.
    ///
    /// - Returns: The same user's session, with the user as they are now.
    /// - Throws: `AuthError`; `invalidResponse` if the answer is another user's.
    public func refresh(_ session: AuthSession) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            let tokens = try await refreshed(session.refreshToken)
            guard tokens.userID == session.user.id else { throw .anothersAnswer }
            return try self.session(ofAnyLevel: tokens, from: session.provider)
        } catch {
            throw error.located(provider: session.provider)
        }
    }

    /// Creates a session from the refresh token of another SDK, such as that of `supabase-swift` in an earlier version of the app.
    ///
    /// The other SDK may have stored a session before its user entered the code of an authenticator app. It is ended at Supabase.
    ///
    /// - Returns: The session, of the provider by which the user signed up. It has a second factor if the other SDK's had one.
    /// - Throws: `AuthError`; `sessionExpired` if the session has no second factor, and the user has one.
    public func adopt(_ adoptable: AdoptableSession) async throws(AuthError) -> AuthSession {
        let tokens = try await refreshed(adoptable.refreshToken)
        guard tokens.hasRequiredFactors else {
            await gotrue.discard(tokens)
            throw AuthError(.sessionExpired, "The session has no second factor, and the user has one. Sign in again.")
        }
        let name = tokens.user["app_metadata"]?["provider"]?.text
        let provider = name.map { names[$0] ?? ProviderID(rawValue: $0) }
        return try session(of: tokens, from: provider ?? .anonymous)
    }

    private func refreshed(_ refreshToken: Secret?) async throws(AuthError) -> GoTrue.Tokens {
        guard let refreshToken = refreshToken?.present else {
            throw AuthError(.sessionExpired, "The session has no refresh token, so it ends with its access token.")
        }
        do throws(AuthError) {
            return try await gotrue.token("refresh_token", ["refresh_token": .string(refreshToken.reveal())])
        } catch {
            // 'Not Issued By This Server': the token is newer than the database, which was restored from a copy.
            guard error.serverCode == "validation_failed" else { throw error }
            throw AuthError(.sessionExpired, "Supabase did not issue the refresh token.").quotingServer(of: error)
        }
    }

    /// Ends the session at Supabase: `logout?scope=local`. A session that is over already is a success.
    ///
    /// Supabase knows a session by its access token alone. If that is expired, or there is none yet, the refresh token gets another.
    public func signOut(_ session: AuthSession) async throws(AuthError) {
        do throws(AuthError) {
            do throws(AuthError) {
                guard !session.accessToken.isEmpty else {
                    throw AuthError(.invalidCredential, "", refusesAccessToken: true)
                }
                try await gotrue.logOut(.local, session.accessToken)
            } catch {
                guard error.classification.refusesAccessToken, session.refreshToken?.present != nil else { throw error }
                try await gotrue.logOut(.local, try await refreshed(session.refreshToken).access)
            }
        } catch {
            guard error.classification.sessionEnd == nil else { return }
            throw error.located(provider: session.provider)
        }
    }

    /// Ends every session of the user, on every device: `logout?scope=global`.
    ///
    /// - Throws: `AuthError`; `invalidCredential` if the access token is refused: then no session has ended.
    public func signOutEverywhere(_ session: AuthSession) async throws(AuthError) {
        do throws(AuthError) { try await gotrue.logOut(.global, session.accessToken) } catch {
            throw error.located(provider: session.provider)
        }
    }

    /// Calls the project's Edge Function that deletes the account of its caller.
    ///
    /// - Throws: `AuthError`; `unsupportedProvider` before any request if the project has no
    ///   ``SupabaseProject/deletionFunction``; `misconfigured` if there is none of that name, `refused` if it refused.
    public func deleteAccount(_ session: AuthSession) async throws(AuthError) {
        do throws(AuthError) {
            guard let function = gotrue.project.deletionFunction else {
                throw AuthError(
                    .unsupportedProvider,
                    "Supabase Auth deletes users with the project's secret key alone. Deploy an Edge Function that does so for "
                        + "its caller, and name it in the project's `deletionFunction`.")
            }
            try await gotrue.call(function: function, as: session.accessToken)
        } catch {
            throw error.located(provider: session.provider)
        }
    }
}

extension SupabaseRepository {
    /// The providers by their names at Supabase. `email` stands for a password, a code and a mail link alike.
    var names: [String: ProviderID] {
        Dictionary(providers.map { ($0.value, $0.key) }) { first, _ in first }
            .merging(["email": .password, "phone": .code]) { own, _ in own }
    }

    /// Makes the session of new tokens, which have a second factor if their user has one.
    ///
    /// - Throws: `secondFactorRequired`, with a challenge, if the tokens have the first factor alone.
    func session(of tokens: GoTrue.Tokens, from provider: ProviderID) throws(AuthError) -> AuthSession {
        guard tokens.hasRequiredFactors else { throw .secondFactor(of: tokens) }
        return try session(ofAnyLevel: tokens, from: provider)
    }

    /// Makes the session of new tokens, also of those that have the first factor alone.
    func session(ofAnyLevel tokens: GoTrue.Tokens, from provider: ProviderID) throws(AuthError) -> AuthSession {
        AuthSession(
            accessToken: tokens.access, refreshToken: tokens.refresh,
            expiresAt: gotrue.clock.expiry(after: tokens.lifetime), user: try AuthUser(tokens.user, names: names),
            provider: provider, issuedAt: tokens.date)
    }

    /// Stores the name that the provider gives once, if Supabase has none.
    private func named(_ session: AuthSession, by credential: Credential) async -> AuthSession {
        guard session.user.displayName == nil, let name = credential.profile?.name?.displayName, !name.isEmpty else {
            return session
        }
        return (try? await updateProfile(ProfileChanges(displayName: .set(name)), of: session)) ?? session
    }
}
