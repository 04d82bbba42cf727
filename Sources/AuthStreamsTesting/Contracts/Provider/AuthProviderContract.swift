public import AuthStreams

/// The promises of an `AuthProvider`, as checks.
///
/// ```swift
/// try await AuthProviderContract { person, witness in
///     await CompanyProvider(sdk: CompanySDKDouble(person, witness))
/// }.verify()
/// ```
///
/// Every check makes its own providers, each with a person who acts as the check says. Providers that use pages and
/// apps need only ``ContractRecorder/watching(_:kind:)`` around a ``ScriptedBrowser`` that answers with
/// ``Person/onPage``.
public struct AuthProviderContract: PortContract {
    /// The person's action, from the first page or app on.
    public enum Person: Hashable, Sendable, CaseIterable {
        /// Agrees, each time they are asked.
        case approves
        /// Refuses.
        case refuses
        /// Closes the page or app, and comes back without an answer.
        case turnsBack
        /// Leaves the page or app open forever.
        case neverAnswers
    }

    /// Decides when a check hangs.
    public var hangDetection = HangDetection()

    let makeProvider: @Sendable (Person, ContractRecorder) async throws -> any AuthProvider
    let crossing: Set<SignInMethod.Kind>
    let repository: (any AuthRepository)?
    let secrets: @Sendable () async -> [Secret]

    /// Makes the contract of one provider.
    ///
    /// - Parameters:
    ///   - crossing: The kinds whose answers cannot be assigned to one of two attempts, such as an app that answers
    ///     without `state`. Two attempts at once may then fail; neither may receive the other's values.
    ///   - repository: The server, for a provider that needs something of it before the person is asked, such as the options of
    ///     a passkey.
    ///   - secrets: The codes, tokens and nonces that were used so far, such as ``Emulator/issuedSecrets``. Those of
    ///     the credentials are known to the contract.
    ///   - provider: Makes a provider with that person, observed by the witness. Called for every check.
    public init(
        crossing: Set<SignInMethod.Kind> = [], repository: (any AuthRepository)? = nil,
        secrets: @escaping @Sendable () async -> [Secret] = { [] },
        provider: @escaping @Sendable (Person, ContractRecorder) async throws -> any AuthProvider
    ) {
        makeProvider = provider
        self.repository = repository
        self.crossing = crossing
        self.secrets = secrets
    }

    /// Every promise of a provider.
    public static let checks: [ContractCheck<Self>] = identity + attempts + answers + kindChecks + secrecyChecks
}

extension AuthProviderContract.Person {
    /// The person's answer to a page of a ``ScriptedBrowser``.
    public var onPage: ScriptedBrowser.Answer {
        switch self {
        case .approves: .approve
        case .refuses: .deny
        case .turnsBack: .close
        case .neverAnswers: .ignore
        }
    }

    /// The person's action in one of the ``EmulatedApps``.
    public var inApp: EmulatedApps.UserAction {
        switch self {
        case .approves: .approve
        case .refuses: .deny
        case .turnsBack: .cancel
        case .neverAnswers: .stay
        }
    }
}
