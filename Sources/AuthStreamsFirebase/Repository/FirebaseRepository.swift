public import AuthStreams
import Foundation

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

    /// Returns whether there is a route for the provider.
    public func accepts(_ provider: ProviderID) -> Bool { routes[provider] != nil }

    /// Firebase's refresh tokens can be used any number of times.
    public var refreshTokenRule: RefreshTokenRule { .reusable }

    /// Creates a session from a credential, on the provider's route.
    ///
    /// - Throws: `AuthError`; `accountExists` if the e-mail's account has other providers and Firebase does not know
    ///   that it is the same person. Its conflict has the e-mail, those providers, and a credential that links or signs
    ///   in once: Firebase's pending token, otherwise the parts of the attempt's credential that can be used again, if
    ///   any.
    public func signIn(with credential: Credential) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            switch try path(of: credential.provider) {
            case .idp(let name):
                let tokens = try await toolkit.signInWithIdp(IdpAssertion(credential, as: name))
                return identified(try await toolkit.session(of: tokens, from: credential.provider))
            case .customToken(let coordinator):
                return identified(try await coordinator.signIn(with: credential))
            }
        } catch {
            throw named(error).located(provider: credential.provider, step: .establishingSession)
        }
    }

    /// Creates a session for a new user without an identity.
    ///
    /// - Throws: `AuthError`; `misconfigured` unless *Anonymous* is enabled in the Firebase console.
    public func signInAnonymously() async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            return try await toolkit.session(of: try await toolkit.signInAnonymously(), from: .anonymous)
        } catch {
            throw error.located(provider: .anonymous, step: .establishingSession)
        }
    }

    /// Gets the next ID token, in one request.
    ///
    /// - Returns: The same user's session, with the refresh token of the answer, or the old one if it had none.
    /// - Throws: `AuthError`; `invalidResponse` if the answer is another user's; `sessionExpired` if the new ID token says
    ///   that the person withdrew the app's access at the session's provider after the sign-in (<doc:SocialLogin>).
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
