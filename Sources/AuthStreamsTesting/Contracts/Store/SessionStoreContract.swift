public import AuthStreams

/// The promises of a `SessionStore`, as checks, for any kind of store.
///
/// ```swift
/// try await SessionStoreContract {
///     let folder = newTemporaryFolder()
///     return .init(
///         store: FileSessionStore(folder: folder), laterProcess: .can { FileSessionStore(folder: folder) },
///         otherOwner: .can { FileSessionStore(folder: folder) },
///         losingLocks: .can { try FileManager.default.removeItem(at: folder.appending(path: ".\($0.rawValue).lock")) },
///         locking: .cannot("files are never locked"), failing: .cannot("this test does not break its disk"))
/// }.verify()
/// ```
///
/// Every check gets an empty place of its own.
public struct SessionStoreContract: PortContract {
    /// Decides when a check hangs.
    public var hangDetection = HangDetection()

    let makePlace: @Sendable () async throws -> Place

    /// Makes the contract of one kind of store.
    ///
    /// - Parameter place: Makes an empty place that has no other user. Called once for every check.
    public init(_ place: @escaping @Sendable () async throws -> Place) {
        makePlace = place
    }

    /// Every promise of a store.
    public static let checks: [ContractCheck<Self>] =
        records + replacements + versions + names + crowds + failureChecks + locks + changes
}

extension SessionStoreContract {
    /// The place where a store keeps its records: a folder, a keychain group, a part of memory.
    public struct Place: Sendable {
        /// The actions that lock and unlock the device.
        public struct Locking: Sendable {
            let lock: @Sendable () async throws -> Void
            let unlock: @Sendable () async throws -> Void

            /// Makes both actions.
            public init(
                lock: @escaping @Sendable () async throws -> Void, unlock: @escaping @Sendable () async throws -> Void
            ) {
                self.lock = lock
                self.unlock = unlock
            }
        }

        let store: any SessionStore
        let laterProcess: ContractCapability<@Sendable () async throws -> any SessionStore>
        let otherOwner: ContractCapability<@Sendable () async throws -> any SessionStore>
        let losingLocks: ContractCapability<@Sendable (SessionStoreKey) async throws -> Void>
        let locking: ContractCapability<Locking>
        let failing: ContractCapability<@Sendable () async throws -> Void>
        let cleanUp: @Sendable () async throws -> Void

        /// Describes a place.
        ///
        /// - Parameters:
        ///   - store: The store under test.
        ///   - laterProcess: Opens the same place as a later process would, without any state of the first store.
        ///   - otherOwner: Opens the same place as another owner does while the first is in use: another process, or
        ///     another service with the same store. A store of a single owner, which implements neither `changes(of:)`
        ///     nor `lock(_:waitingAtMost:)`, states so: `.cannot("it is a store of one process alone")`.
        ///   - losingLocks: Takes the lock of that name from its holder, as expiry or the system does.
        ///   - locking: Makes the records unreadable as a locked device does, and readable again.
        ///   - failing: Makes the place fail from now on, for example by a folder without permissions.
        ///   - cleanUp: Removes the place after the check.
        public init(
            store: any SessionStore,
            laterProcess: ContractCapability<@Sendable () async throws -> any SessionStore>,
            otherOwner: ContractCapability<@Sendable () async throws -> any SessionStore>,
            losingLocks: ContractCapability<@Sendable (SessionStoreKey) async throws -> Void>,
            locking: ContractCapability<Locking>, failing: ContractCapability<@Sendable () async throws -> Void>,
            cleanUp: @escaping @Sendable () async throws -> Void = {}
        ) {
            self.store = store
            self.laterProcess = laterProcess
            self.otherOwner = otherOwner
            self.losingLocks = losingLocks
            self.locking = locking
            self.failing = failing
            self.cleanUp = cleanUp
        }
    }

    /// Returns a check in its own place, which is removed afterwards.
    static func check(
        _ name: String, _ body: @escaping @Sendable (Place, ContractFindings) async throws -> Void
    ) -> ContractCheck<Self> {
        ContractCheck(name) { contract, findings in
            let place = try await contract.makePlace()
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await body(place, findings)) } catch { outcome = .failure(error) }
            try await place.cleanUp()
            try outcome.get()
        }
    }
}
