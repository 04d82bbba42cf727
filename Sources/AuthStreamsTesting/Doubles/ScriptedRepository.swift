public import AuthStreams

/// A repository without a server: its operations are closures of the test, and it records all calls.
///
/// An operation that throws an error with a challenge asks the person, and ``ScriptedAccount/answer`` receives the answer:
///
/// ```swift
/// var account = ScriptedAccount()
/// account.answer = { challenge, answer, _ in
///     guard answer == .code(Secret("123456")) else {
///         throw AuthError(.codeMismatch, "The code is wrong.", challenge: challenge)
///     }
///     return ScriptedRepository.session(of: Credential(provider: .kakao))
/// }
/// let repository = ScriptedRepository(
///     establish: { _ in throw AuthError(.secondFactorRequired, "A code.", challenge: Challenge(.code(.init(length: 6)))) },
///     account: account)
/// ```
public final class ScriptedRepository: AuthRepository {
    /// A recorded call.
    public enum Call: Hashable, Sendable {
        /// `AuthRepository.signIn(with:)`, with a credential of that provider.
        case signIn(ProviderID)
        /// `AuthRepository.answer(_:with:in:)`, with that answer, for that user or none.
        case answer(ChallengeAnswer, String?)
        /// `AuthRepository.signUp(with:)`, with a credential of that provider.
        case signUp(ProviderID)
        /// `AuthRepository.prepare(_:in:)`, of that preparation, for that user or none.
        case prepare(Preparation, String?)
        /// `AuthRepository.apply(_:to:)`, of that change, for that user.
        case apply(SecurityChange, String)
        /// `AuthRepository.adopt(_:)`.
        case adopt
        /// `AuthRepository.refresh(_:)`, for that user.
        case refresh(String)
        /// `AuthRepository.signOut(_:)`, for that user.
        case signOut(String)
        /// `AuthRepository.signOutEverywhere(_:)`, for that user.
        case signOutEverywhere(String)
        /// `AuthRepository.signInAnonymously()`.
        case signInAnonymously
        /// `AuthRepository.reload(_:)`, for that user.
        case reload(String)
        /// `AuthRepository.updateProfile(_:of:)`, with those changes.
        case updateProfile(ProfileChanges)
        /// `AuthRepository.link(_:to:)`, with a credential of that provider.
        case link(ProviderID)
        /// `AuthRepository.unlink(_:from:)`, of that provider.
        case unlink(ProviderID)
        /// `AuthRepository.reauthenticate(_:with:)`, with a credential of that provider.
        case reauthenticate(ProviderID)
        /// `AuthRepository.revokeAccess(with:of:)`, with a credential of that provider.
        case revokeAccess(ProviderID)
        /// `AuthRepository.deleteAccount(_:)`, for that user.
        case deleteAccount(String)
    }

    private let routes: Set<ProviderID>?
    private let establish: @Sendable (Credential) async throws -> AuthSession
    private let adopting: @Sendable (Secret) async throws -> AuthSession
    let account: ScriptedAccount
    private let log = Lock<[Call]>([])

    /// Makes a repository.
    ///
    /// - Parameters:
    ///   - routes: The providers it accepts; `nil` for all.
    ///   - establish: Makes the session for a credential. Unless given, the user's identifier is the provider's, a
    ///     colon, and the person's identifier there.
    ///   - adopt: Makes the session for another SDK's refresh token. Unless given, it is a Kakao user's.
    ///   - account: The operations on the signed-in user's account.
    public init(
        accepting routes: Set<ProviderID>? = nil,
        establish: (@Sendable (Credential) async throws -> AuthSession)? = nil,
        adopt: (@Sendable (Secret) async throws -> AuthSession)? = nil, account: ScriptedAccount = ScriptedAccount()
    ) {
        self.routes = routes
        self.account = account
        adopting = adopt ?? { _ in Self.session(of: Credential(provider: .kakao, userID: "1001")) }
        self.establish = establish ?? { Self.session(of: $0) }
    }

    /// Returns the default session for a credential. Its tokens have the form of bearer tokens (RFC 6750 section 2.1).
    public static func session(of credential: Credential) -> AuthSession {
        let id = "\(credential.provider):\(credential.userID ?? "unknown")"
        return AuthSession(
            accessToken: Secret("scripted-access-token"), refreshToken: Secret("scripted-refresh-token"),
            expiresAt: nil, user: AuthUser(id: id), provider: credential.provider)
    }

    /// The calls so far.
    public var calls: [Call] { log.withLock { $0 } }

    /// Returns whether the provider is one of its routes.
    public func accepts(_ provider: ProviderID) -> Bool { routes?.contains(provider) ?? true }

    /// Runs the script, unless there is no route for the provider.
    public func signIn(with credential: Credential) async throws(AuthError) -> AuthSession {
        log.withLock { $0.append(.signIn(credential.provider)) }
        guard accepts(credential.provider) else {
            throw AuthError(
                .unsupportedProvider, "The script has no route for \(credential.provider).",
                provider: credential.provider)
        }
        return try await AuthError.wrapping { try await establish(credential) }
    }

    /// Runs the script.
    public func answer(
        _ challenge: Challenge, with answer: ChallengeAnswer, in session: AuthSession?
    ) async throws(AuthError) -> AuthSession {
        note(.answer(answer, session?.user.id))
        return try await AuthError.wrapping { try await account.answer(challenge, answer, session) }
    }

    /// Runs the script.
    public func adopt(_ adoptable: AdoptableSession) async throws(AuthError) -> AuthSession {
        log.withLock { $0.append(.adopt) }
        return try await AuthError.wrapping { try await adopting(adoptable.refreshToken) }
    }

    /// Does nothing.
    public func signOut(_ session: AuthSession) async throws(AuthError) {
        log.withLock { $0.append(.signOut(session.user.id)) }
    }

    func note(_ call: Call) { log.withLock { $0.append(call) } }
}

extension ScriptedRepository {
    /// Runs the script.
    public func refresh(_ session: AuthSession) async throws(AuthError) -> AuthSession {
        note(.refresh(session.user.id))
        return try await AuthError.wrapping { try await account.refresh(session) }
    }

    /// Runs the script.
    public func signUp(with credential: Credential) async throws(AuthError) -> AuthSession {
        note(.signUp(credential.provider))
        return try await AuthError.wrapping { try await account.signUp(credential) }
    }

    /// Runs the script.
    public func prepare(_ preparation: Preparation, in session: AuthSession?) async throws(AuthError) -> AuthJSON {
        note(.prepare(preparation, session?.user.id))
        return try await AuthError.wrapping { try await account.prepare(preparation, session) }
    }

    /// Runs the script.
    public func apply(_ change: SecurityChange, to session: AuthSession) async throws(AuthError) -> AuthSession {
        note(.apply(change, session.user.id))
        return try await AuthError.wrapping { try await account.apply(change, session) }
    }

    /// Runs the script.
    public func secondFactors(of session: AuthSession) async throws(AuthError) -> [Challenge.Factor] {
        try await AuthError.wrapping { try await account.secondFactors(session) }
    }

    /// Runs the script.
    public func passkeys(of session: AuthSession) async throws(AuthError) -> [Passkey] {
        try await AuthError.wrapping { try await account.passkeys(session) }
    }

    /// Runs the script.
    public func signInAnonymously() async throws(AuthError) -> AuthSession {
        note(.signInAnonymously)
        return try await AuthError.wrapping { try await account.signInAnonymously() }
    }

    /// Runs the script.
    public func reload(_ session: AuthSession) async throws(AuthError) -> AuthSession {
        note(.reload(session.user.id))
        return try await AuthError.wrapping { try await account.reload(session) }
    }

    /// Runs the script.
    public func updateProfile(_ changes: ProfileChanges, of session: AuthSession) async throws(AuthError) -> AuthSession
    {
        note(.updateProfile(changes))
        return try await AuthError.wrapping { try await account.updateProfile(changes, session) }
    }

    /// Runs the script.
    public func link(_ credential: Credential, to session: AuthSession) async throws(AuthError) -> AuthSession {
        note(.link(credential.provider))
        return try await AuthError.wrapping { try await account.link(credential, session) }
    }

    /// Runs the script.
    public func unlink(_ provider: ProviderID, from session: AuthSession) async throws(AuthError) -> AuthSession {
        note(.unlink(provider))
        return try await AuthError.wrapping { try await account.unlink(provider, session) }
    }

    /// Runs the script.
    public func reauthenticate(_ session: AuthSession, with credential: Credential) async throws(AuthError)
        -> AuthSession
    {
        note(.reauthenticate(credential.provider))
        return try await AuthError.wrapping { try await account.reauthenticate(session, credential) }
    }

    /// Returns whether the provider is among the account's `revocable` ones.
    public func revokesAccess(at provider: ProviderID) -> Bool { account.revocable.contains(provider) }

    /// Runs the script.
    public func revokeAccess(with credential: Credential, of session: AuthSession) async throws(AuthError) {
        note(.revokeAccess(credential.provider))
        try await AuthError.wrapping { try await account.revokeAccess(credential, session) }
    }

    /// Runs the script.
    public func signOutEverywhere(_ session: AuthSession) async throws(AuthError) {
        note(.signOutEverywhere(session.user.id))
        try await AuthError.wrapping { try await account.signOutEverywhere(session) }
    }

    /// Runs the script.
    public func deleteAccount(_ session: AuthSession) async throws(AuthError) {
        note(.deleteAccount(session.user.id))
        try await AuthError.wrapping { try await account.deleteAccount(session) }
    }
}
