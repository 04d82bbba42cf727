public import AuthStreams

/// The promises of an `AuthRepository`, as checks, for any server.
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
/// Every check gets its own server, and breaks the connection to it at each request in turn. Anything that a server or
/// a test cannot do is stated with its reason, which the report lists.
public struct AuthRepositoryContract: PortContract {
    /// Decides when a check hangs.
    public var hangDetection = HangDetection()

    let makeEnvironment: @Sendable () async throws -> Environment

    /// Makes the contract of one repository.
    ///
    /// - Parameter environment: Makes a server without users, and the connection to it. Called once for every check.
    public init(_ environment: @escaping @Sendable () async throws -> Environment) {
        makeEnvironment = environment
    }

    /// Every promise of a repository.
    public static let checks: [ContractCheck<Self>] =
        signingIn + challenged + refreshing + reloading + linking + proving + anonymous + signOutChecks + everywhere
        + revoking
        + refusing
        + adopting
        + failureChecks + requestChecks
}

extension AuthRepositoryContract {
    /// A server, and everything that a check needs beside the repository.
    public struct Environment: Sendable {
        let network: ContractCapability<any AuthHTTPTransport>
        let repository: @Sendable (any AuthHTTPTransport) async throws -> any AuthRepository
        let credential: @Sendable () async throws -> Credential
        let badCredential: ContractCapability<@Sendable () async throws -> Credential>
        let unroutedProvider: ContractCapability<ProviderID>
        let console: Console
        let changes: Changes
        let challenges: ContractCapability<Challenges>

        /// Describes the environment.
        ///
        /// - Parameters:
        ///   - network: The connection to the server, which the checks break.
        ///   - repository: Makes the repository over the given transport: that connection with the check's faults.
        ///   - credential: Gets a new credential that the server takes, always of the same person.
        ///   - badCredential: Makes one of the same provider that the server refuses.
        ///   - unroutedProvider: A provider that the repository does not accept.
        ///   - console: The actions of the server's administrator.
        ///   - changes: The operations on a session other than refreshing and ending it.
        ///   - challenges: A sign-in that the server answers with a challenge.
        public init(
            network: ContractCapability<any AuthHTTPTransport>,
            repository: @escaping @Sendable (any AuthHTTPTransport) async throws -> any AuthRepository,
            credential: @escaping @Sendable () async throws -> Credential,
            badCredential: ContractCapability<@Sendable () async throws -> Credential>,
            unroutedProvider: ContractCapability<ProviderID>, console: Console, changes: Changes,
            challenges: ContractCapability<Challenges> = .cannot("the repository throws no challenge")
        ) {
            self.network = network
            self.repository = repository
            self.credential = credential
            self.badCredential = badCredential
            self.unroutedProvider = unroutedProvider
            self.console = console
            self.changes = changes
            self.challenges = challenges
        }
    }

    /// A sign-in that the server answers with a challenge, and the answers of the person.
    public struct Challenges: Sendable {
        /// Returns an answer to a challenge.
        public typealias Answer = @Sendable (Challenge) async throws -> ChallengeAnswer

        let credential: @Sendable () async throws -> Credential
        let answer: Answer
        let wrongAnswer: ContractCapability<Answer>

        /// Describes the challenges.
        ///
        /// - Parameters:
        ///   - credential: Gets a new credential, whose sign-in is answered with one challenge.
        ///   - answer: Returns the right answer to it.
        ///   - wrongAnswer: Returns a wrong one, after which the server takes another.
        public init(
            credential: @escaping @Sendable () async throws -> Credential, answer: @escaping Answer,
            wrongAnswer: ContractCapability<Answer>
        ) {
            self.credential = credential
            self.answer = answer
            self.wrongAnswer = wrongAnswer
        }
    }

    /// The actions of the server's administrator, and the properties of the server.
    public struct Console: Sendable {
        /// An action on a user.
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
        ///   - revoke: Ends every session of a user: a refresh must throw `sessionExpired`.
        ///   - disable: Disables a user: a refresh must throw `userDisabled`.
        ///   - delete: Deletes a user: a refresh must throw `userNotFound`.
        ///   - takesAccessToken: Returns whether the server accepts that access token now.
        ///   - givesRefreshTokens: Whether a session has a refresh token. Otherwise it lasts as long as its access
        ///     token, and a refresh must throw `sessionExpired` before any request.
        ///   - endsSessionsAtSignOut: Whether a sign-out makes the server refuse the refresh token from then on.
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
