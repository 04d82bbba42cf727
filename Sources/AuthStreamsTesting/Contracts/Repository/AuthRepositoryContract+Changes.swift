public import AuthStreams

extension AuthRepositoryContract {
    /// The operations on a session other than refreshing and ending it, and what the checks need for them.
    ///
    /// A repository without an operation must throw `unsupportedProvider` before any request, which is checked too.
    public struct Changes: Sendable {
        /// Gets a new credential that the server takes.
        typealias MoreCredentials = @Sendable () async throws -> Credential

        let reloading: ContractCapability<@Sendable (AuthUser, String) async throws -> Void>
        let profile: ContractCapability<Void>
        let linking: ContractCapability<MoreCredentials>
        let reauthentication: ContractCapability<Void>
        let strangers: ContractCapability<MoreCredentials>
        let aging: ContractCapability<@Sendable () async throws -> Void>
        let anonymousUsers: ContractCapability<Void>
        let signingOutEverywhere: ContractCapability<Void>
        let revocation: ContractCapability<@Sendable (Credential) async throws -> Bool>

        /// Describes the changes.
        ///
        /// - Parameters:
        ///   - reloading: Whether the repository reloads the user. Gives a user that name at the server.
        ///   - profile: Whether the repository changes the user's name and picture.
        ///   - linking: Whether the repository links and unlinks. Gets a new credential of one more identity, always
        ///     the same, at another provider than the environment's credential. The identity belongs to no other user,
        ///     and may be linked to the person's user.
        ///   - reauthentication: Whether the repository re-authenticates.
        ///   - strangers: Gets a new credential of another person, always the same one, at the provider of the
        ///     environment's credential.
        ///   - aging: Lets enough time pass that no sign-in is recent enough to delete an account, and so little that
        ///     access tokens stay valid.
        ///   - anonymousUsers: Whether the repository makes anonymous users. If it links, too, they can be upgraded.
        ///   - signingOutEverywhere: Whether the repository ends the sessions of other devices.
        ///   - revocation: Whether the repository revokes access at the provider of the environment's credential.
        ///     Returns whether the provider still grants the app access for the person of that credential.
        public init(
            reloading: ContractCapability<@Sendable (AuthUser, String) async throws -> Void>,
            profile: ContractCapability<Void>,
            linking: ContractCapability<@Sendable () async throws -> Credential>,
            reauthentication: ContractCapability<Void>,
            strangers: ContractCapability<@Sendable () async throws -> Credential>,
            aging: ContractCapability<@Sendable () async throws -> Void>,
            anonymousUsers: ContractCapability<Void>, signingOutEverywhere: ContractCapability<Void>,
            revocation: ContractCapability<@Sendable (Credential) async throws -> Bool>
        ) {
            self.reloading = reloading
            self.profile = profile
            self.linking = linking
            self.reauthentication = reauthentication
            self.strangers = strangers
            self.aging = aging
            self.anonymousUsers = anonymousUsers
            self.signingOutEverywhere = signingOutEverywhere
            self.revocation = revocation
        }

        /// Returns changes without any of them, for one reason.
        public static func none(_ reason: String) -> Self {
            Self(
                reloading: .cannot(reason), profile: .cannot(reason), linking: .cannot(reason),
                reauthentication: .cannot(reason), strangers: .cannot(reason),
                aging: .cannot(reason), anonymousUsers: .cannot(reason), signingOutEverywhere: .cannot(reason),
                revocation: .cannot(reason))
        }
    }
}

extension ContractCapability {
    var isThere: Bool { if case .can = self { true } else { false } }
}
