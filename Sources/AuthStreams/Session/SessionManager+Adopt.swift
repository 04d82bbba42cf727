import Foundation

extension SessionManager {
    /// An adoption that the server has not decided yet.
    struct Adoption: Sendable {
        let session: AdoptableSession
        let generation: UInt64
        /// When somebody set about asking the server.
        let startedAt: Duration

        func event(_ kind: AuthEvent.Kind, at now: Duration, failure: AuthError? = nil) -> AuthEvent {
            AuthEvent(kind, provider: session.provider, failure: failure, elapsed: now - startedAt)
        }
    }

    /// The adoption that is under way, if there is one.
    var adoption: Adoption? {
        let now = clock.uptime
        return apply { rules, _ in
            rules.machine.adoption.map {
                Adoption(session: $0, generation: rules.machine.generation, startedAt: now)
            }
        }
    }

    /// Begins to take over what another SDK left, unless a user is signed in here.
    ///
    /// It is on disk before any reader sees it, unless the store fails; then the write is retried automatically.
    ///
    /// - Returns: What the callers share of the adoption that is under way now; `nil` when there is none.
    func beginAdoption(of left: AdoptableSession) async -> SharedOperation<AuthUser?>? {
        let shared = Lock<SharedOperation<AuthUser?>?>(nil)
        let hasBegun = try? await beginAdoption(of: left, in: look { $0.generation }) { operation in
            shared.withLock { $0 = operation }
        }
        return hasBegun == true ? shared.withLock { $0 } : sharedAdoption()
    }

    /// Returns what the callers share of the adoption that is under way; `nil` when there is none.
    func sharedAdoption() -> SharedOperation<AuthUser?>? { apply { rules, _ in rules.sharedAdoptionUnderWay() } }

    /// - Parameters:
    ///   - isLeftBehind: Whether it is what is asked for once, and not again after any process took it up.
    ///   - share: Gets what its callers share, at the moment at which it begins: another caller may end it at once.
    /// - Returns: Whether it began: not when the generation is over, or another process was first.
    /// - Throws: `storage` or `storageLocked` when it cannot be read whether any process took it up.
    func beginAdoption(
        of left: AdoptableSession, in generation: UInt64, isLeftBehind: Bool = false,
        sharing share: @Sendable (SharedOperation<AuthUser?>?) -> Void = { _ in }
    ) async throws(AuthError) -> Bool {
        try await writing { () async throws(AuthError) in
            var markFailure: AuthError?
            let record = SessionRecord(.adoptable(left), isUnanswered: false, savedAt: clock.date)
            // Not written and taken back: a crash in between would bring it back.
            let writing = await write(following: true) { hasFollowed in
                // After the record was read: a process that signs out marks first, and then removes the record.
                if isLeftBehind {
                    do throws(AuthError) { if try await mark() != nil { return nil } } catch {
                        markFailure = error
                        return nil
                    }
                }
                return apply { rules, _ -> NextRecord? in
                    guard rules.machine.canAdopt(left, in: generation) else { return nil }
                    // Before the first reading any record is another process's.
                    let isTaken =
                        rules.machine.isUnread
                        ? rules.found.map(KnownRecord.init)?.isWhole == true
                        : hasFollowed && rules.machine.session != nil
                    return isTaken ? nil : .record(record)
                }
            }
            if let markFailure { throw markFailure }
            if case .unwanted = writing { return false }
            let uptime = clock.uptime
            let hasBegun = apply { rules, effects in
                guard rules.machine.adoptionBegan(left, in: generation) != nil else { return false }
                if let failure = writing.failure {
                    rules.known = rules.found.map(KnownRecord.init) ?? rules.known
                    let delay = rules.storeFailed(failure, at: uptime)
                    effects.events.append(AuthEvent(.storageFailed, failure: failure, delay: delay))
                } else {
                    rules.storeSettled()
                }
                effects.events.append(AuthEvent(.adoptionStarted, provider: left.provider))
                share(rules.sharedAdoptionUnderWay())
                return true
            }
            // Otherwise the person signed out meanwhile, and that write follows.
            guard hasBegun else { return false }
            // Or a sign-out would be undone at the next launch, while the other SDK still has its copy.
            if writing.failure == nil { try? await markTaken() }
            return true
        }
    }

    /// The server could not be asked, or not be understood. Whatever happened, nothing is lost.
    func delay(_ adoption: Adoption, because error: AuthError) {
        let now = clock.moment
        apply { rules, effects in
            guard rules.machine.isAdopting(in: adoption.generation) else { return }
            if error.isRetryable || error.mayBeAHitch {
                rules.machine.adoptionDelayed(at: now.date, in: adoption.generation)
            } else {
                rules.machine.adoptionStalled(in: adoption.generation)
            }
            effects.events.append(adoption.event(.adoptionDelayed, at: now.uptime, failure: error))
        }
    }

    /// The session to adopt is over.
    func refuse(_ adoption: Adoption, _ reason: SignOutReason, because error: AuthError) async {
        let now = clock.uptime
        let counts = apply { rules, effects in
            defer { rules.tokenWasSpent(adoption.session.refreshToken) }
            guard rules.machine.adoptionRefused(reason, in: adoption.generation) else { return false }
            rules.owe(.refusal)
            effects.events.append(adoption.event(.adoptionRefused, at: now, failure: error))
            return true
        }
        // A store that fails is written by itself, once that works.
        if counts { try? await persist() }
    }

    // MARK: Those who go on with it

    /// Somebody goes on with the adoption that is under way.
    func adopterCame() { apply { rules, _ in rules.adopters += 1 } }

    /// Somebody does so no longer. Where nobody is left who would ask the server, nobody is known until the next launch.
    func adopterLeft() {
        apply { rules, _ in
            rules.adopters -= 1
            if rules.adopters == 0 { rules.machine.adoptionStalled(in: rules.machine.generation) }
        }
    }
}

/// An adoption as its callers share it.
struct SharedAdoption: Sendable {
    /// The generation that is being adopted.
    let generation: UInt64
    let operation = SharedOperation<AuthUser?>()
}

extension SessionManager.Rules {
    fileprivate mutating func sharedAdoptionUnderWay() -> SharedOperation<AuthUser?>? {
        guard machine.adoption != nil else { return nil }
        if let shared = sharedAdoption, shared.generation == machine.generation, !shared.operation.isOver {
            return shared.operation
        }
        let shared = SharedAdoption(generation: machine.generation)
        sharedAdoption = shared
        return shared.operation
    }
}

extension AuthError {
    /// Whether it may pass within seconds, although it may last as well: something in between answered, or the store failed.
    var mayBeAHitch: Bool { code == .invalidResponse || code == .storage }
}
