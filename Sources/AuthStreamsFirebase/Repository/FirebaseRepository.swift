public import AuthStreams
import Foundation

/// Firebase Authentication as the server, over REST: no Firebase SDK.
///
/// ```swift
/// let repository = FirebaseRepository(
///     project: FirebaseProject(id: "my-app", apiKey: "AIza…"),
///     routes: .standard(functionsIn: .seoul),
///     transport: URLSessionTransport())
/// ```
///
/// A session's access token is Firebase's ID token. Its user is what `accounts:lookup` says, with the project's custom
/// claims; a refresh brings the claims up to date.
///
/// | question | answer |
/// | --- | --- |
/// | how many requests? | a sign-in two (three through a function), a refresh one, an adoption two, a deletion one, a sign-out none |
/// | what ends a session? | `userNotFound`, `userDisabled`, `sessionExpired`: Firebase's own words, with 4xx |
/// | may a refresh token be sent again? | yes: Firebase's stay good when an answer was lost |
/// | is anything retried? | no |
public struct FirebaseRepository: AuthRepository {
    private let project: FirebaseProject
    let routes: [ProviderID: FirebaseRoute]
    private let transport: any HTTPTransport
    let toolkit: IdentityToolkit

    /// Makes a repository.
    ///
    /// - Parameters:
    ///   - project: Whose users these are.
    ///   - routes: Which way each provider's credentials take. A provider without one cannot sign in.
    ///   - transport: The way to the server.
    ///   - clock: Tells when a token expires, and how long an App Check token takes.
    public init(
        project: FirebaseProject, routes: [ProviderID: FirebaseRoute] = .standard(), transport: any HTTPTransport,
        clock: AuthClock = .system
    ) {
        self.project = project
        self.routes = routes
        self.transport = transport
        toolkit = IdentityToolkit(project: project, transport: transport, clock: clock)
    }

    /// Whether there is a route for the provider.
    public func accepts(_ provider: ProviderID) -> Bool { routes[provider] != nil }

    /// Makes a session of a credential, on the provider's route.
    public func signIn(with credential: Credential) async throws(AuthError) -> Session {
        do throws(AuthError) {
            switch routes[credential.provider]?.way {
            case .idp(let name):
                let tokens = try await toolkit.signInWithIdp(IdpAssertion(credential, as: name))
                return try await toolkit.session(of: tokens, from: credential.provider)
            case .function(let function, let location, let format):
                return try await coordinator(function, location, format).signIn(with: credential)
            case .coordinator(let coordinator):
                return try await coordinator.signIn(with: credential)
            case nil:
                throw AuthError(
                    .unsupportedProvider,
                    "The Firebase repository has no route for \(credential.provider). Add one to its routes.")
            }
        } catch {
            throw error.located(provider: credential.provider, step: .establishingSession)
        }
    }

    private func coordinator(
        _ function: CallableFunction, _ location: CallableFunctions.Location, _ format: SocialLoginFunction.Format
    ) -> SocialAuthCoordinator {
        let functions = CallableFunctions(
            project: project, at: location, transport: transport, clock: toolkit.clock)
        return SocialAuthCoordinator(
            source: SocialLoginFunction(functions, function: function, format: format), firebase: toolkit)
    }

    /// Gets the next ID token, in one request.
    ///
    /// - Returns: The same user's session, with the refresh token of the answer, or the old one when it had none.
    /// - Throws: `AuthError`; `invalidResponse` when the answer is another user's.
    public func refresh(_ session: Session) async throws(AuthError) -> Session {
        do throws(AuthError) {
            guard let refreshToken = session.refreshToken?.present else {
                throw AuthError(.sessionExpired, "The session has no refresh token, so it ends with its ID token.")
            }
            let tokens = try await toolkit.refresh(refreshToken)
            guard tokens.userID == session.user.id else {
                throw AuthError(.invalidResponse, "The refresh answered with another user's tokens; they are not kept.")
            }
            return Session(
                accessToken: tokens.idToken, refreshToken: tokens.refreshToken ?? refreshToken,
                expiresAt: toolkit.clock.expiry(after: tokens.lifetime), user: session.user.updated(by: tokens.idToken),
                provider: session.provider)
        } catch {
            throw error.located(provider: session.provider)
        }
    }

    /// Does nothing: Firebase keeps no sign-ins that an app could end. Forgetting the tokens is the sign-out.
    public func signOut(_ session: Session) async throws(AuthError) {}

    /// Deletes the user at Firebase.
    ///
    /// - Throws: `AuthError`; `requiresRecentSignIn` when the last sign-in was more than some minutes ago.
    public func deleteAccount(_ session: Session) async throws(AuthError) {
        do throws(AuthError) { try await toolkit.delete(session.accessToken) } catch {
            throw error.located(provider: session.provider)
        }
    }
}
