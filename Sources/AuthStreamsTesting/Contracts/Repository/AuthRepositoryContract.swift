public import AuthStreams

/// What every ``AuthStreams/AuthRepository`` promises, whatever server it stands for.
///
/// ```swift
/// try await AuthRepositoryContract {
///     let server = TestServer()
///     return .init(
///         network: .can(URLSessionTransport()),
///         repository: { CompanyRepository(at: server.url, transport: $0) },
///         credential: { server.newCredential(of: "mia") },
///         badCredential: .can { Credential(provider: "company", accessToken: Secret("made up")) },
///         console: .init(revoke: .can { server.revokeSessions(of: $0.id) }, …),
///         changes: .init(linking: .cannot("the server has one identity for each user"), …))
/// }.verify()
/// ```
///
/// Every check gets a server of its own, and breaks the way to it at each request in turn. What a server or a test cannot
/// do is said with its reason, and stands in the report.
public struct AuthRepositoryContract: PortContract {
    /// How long one check may take before it counts as hanging.
    public var patience = ContractPatience()

    let makeSurroundings: @Sendable () async throws -> Surroundings

    /// Makes the contract of one repository.
    ///
    /// - Parameter surroundings: Makes a server that nobody has signed in to, and the way to it. Called once for every check.
    public init(_ surroundings: @escaping @Sendable () async throws -> Surroundings) {
        makeSurroundings = surroundings
    }

    /// Every promise of a repository.
    public static let checks: [ContractCheck<Self>] =
        signingIn + refreshing + linking + proving + anonymous + leaving + everywhere + revoking + refusing + adopting
        + troubles + conduct
}

extension AuthRepositoryContract {
    /// A server, and everything that a check needs beside the repository.
    public struct Surroundings: Sendable {
        let network: ContractCapability<any HTTPTransport>
        let repository: @Sendable (any HTTPTransport) async throws -> any AuthRepository
        let credential: @Sendable () async throws -> Credential
        let badCredential: ContractCapability<@Sendable () async throws -> Credential>
        let unroutedProvider: ContractCapability<ProviderID>
        let console: Console
        let changes: Changes

        /// Describes the surroundings.
        ///
        /// - Parameters:
        ///   - network: The way to the server, which the checks break.
        ///   - repository: Makes the repository over the transport that it is given: that way, with the check's faults in it.
        ///   - credential: Gets a new credential that the server takes, always of the same person.
        ///   - badCredential: Makes one of the same provider that the server refuses.
        ///   - unroutedProvider: A provider that the repository does not accept.
        ///   - console: What the server's administrator can do.
        ///   - changes: What can be done with a session beside refreshing and ending it.
        public init(
            network: ContractCapability<any HTTPTransport>,
            repository: @escaping @Sendable (any HTTPTransport) async throws -> any AuthRepository,
            credential: @escaping @Sendable () async throws -> Credential,
            badCredential: ContractCapability<@Sendable () async throws -> Credential>,
            unroutedProvider: ContractCapability<ProviderID>, console: Console, changes: Changes
        ) {
            self.network = network
            self.repository = repository
            self.credential = credential
            self.badCredential = badCredential
            self.unroutedProvider = unroutedProvider
            self.console = console
            self.changes = changes
        }
    }

    /// What the server's administrator can do, and what kind of server it is.
    public struct Console: Sendable {
        /// Does something to a user.
        public typealias Action = @Sendable (AuthUser) async throws -> Void

        let revoke: ContractCapability<Action>
        let disable: ContractCapability<Action>
        let delete: ContractCapability<Action>
        let takesAccessToken: ContractCapability<@Sendable (Secret) async throws -> Bool>
        let givesRefreshTokens: ContractCapability<Void>
        let endsSessionsAtSignOut: ContractCapability<Void>
        let adopts: ContractCapability<Void>

        /// Describes a console.
        ///
        /// - Parameters:
        ///   - revoke: Ends every session of a user: a refresh is to end with `sessionExpired`.
        ///   - disable: Disables a user: a refresh is to end with `userDisabled`.
        ///   - delete: Deletes a user: a refresh is to end with `userNotFound`.
        ///   - takesAccessToken: Whether the server takes that access token now.
        ///   - givesRefreshTokens: Whether a session goes on. Else it lasts as long as its access token, and a refresh is to
        ///     end with `sessionExpired` before any request.
        ///   - endsSessionsAtSignOut: Whether the server hears of a sign-out, and refuses the refresh token from then on.
        ///   - adopts: Whether the repository implements `adopt(_:)`.
        public init(
            revoke: ContractCapability<Action>, disable: ContractCapability<Action>, delete: ContractCapability<Action>,
            takesAccessToken: ContractCapability<@Sendable (Secret) async throws -> Bool>,
            givesRefreshTokens: ContractCapability<Void>, endsSessionsAtSignOut: ContractCapability<Void>,
            adopts: ContractCapability<Void>
        ) {
            self.revoke = revoke
            self.disable = disable
            self.delete = delete
            self.takesAccessToken = takesAccessToken
            self.givesRefreshTokens = givesRefreshTokens
            self.endsSessionsAtSignOut = endsSessionsAtSignOut
            self.adopts = adopts
        }
    }
}
