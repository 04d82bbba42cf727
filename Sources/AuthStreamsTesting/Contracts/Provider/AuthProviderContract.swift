public import AuthStreams

/// What every ``AuthStreams/AuthProvider`` promises, whatever it shows to whom.
///
/// ```swift
/// try await AuthProviderContract { person, witness in
///     await CompanyProvider(sdk: CompanySDKDouble(person, witness))
/// }.verify()
/// ```
///
/// Every check makes providers of its own, each with a person in front who does what the check says. Providers that go by
/// pages and apps need nothing more than ``ContractRecorder/watching(_:means:)`` around a ``ScriptedBrowser`` that answers
/// with ``Person/onPage``.
public struct AuthProviderContract: PortContract {
    /// What the person does, from the first page or app on.
    public enum Person: Hashable, Sendable, CaseIterable {
        /// Agrees, each time they are asked.
        case approves
        /// Says no.
        case refuses
        /// Closes the page or app, and comes back without an answer.
        case turnsBack
        /// Leaves the page or app open for ever.
        case neverAnswers
    }

    /// How long one check may take before it counts as hanging.
    public var patience = ContractPatience()

    let makeProvider: @Sendable (Person, ContractRecorder) async throws -> any AuthProvider
    let crossing: Set<SignInMeans>
    let secrets: @Sendable () async -> [Secret]

    /// Makes the contract of one provider.
    ///
    /// - Parameters:
    ///   - crossing: The means whose answers carry nothing that tells two attempts apart, such as an app that answers
    ///     without `state`. Two attempts at once may then fail; neither may get what belongs to the other.
    ///   - secrets: The codes, tokens and nonces that have passed by so far, such as ``Emulator/issuedSecrets``. Those of the
    ///     credentials are known anyway.
    ///   - provider: Makes a provider with that person in front of it, seen by the witness. Called for every check.
    public init(
        crossing: Set<SignInMeans> = [], secrets: @escaping @Sendable () async -> [Secret] = { [] },
        provider: @escaping @Sendable (Person, ContractRecorder) async throws -> any AuthProvider
    ) {
        makeProvider = provider
        self.crossing = crossing
        self.secrets = secrets
    }

    /// Every promise of a provider.
    public static let checks: [ContractCheck<Self>] = identity + attempts + answers + meansChecks + discretion
}

extension AuthProviderContract.Person {
    /// What such a person does with a page of a ``ScriptedBrowser``.
    public var onPage: ScriptedBrowser.Answer {
        switch self {
        case .approves: .approve
        case .refuses: .deny
        case .turnsBack: .close
        case .neverAnswers: .ignore
        }
    }

    /// What such a person does in one of the ``EmulatedApps``.
    public var inApp: EmulatedApps.Conduct {
        switch self {
        case .approves: .approve
        case .refuses: .deny
        case .turnsBack: .cancel
        case .neverAnswers: .stay
        }
    }
}
