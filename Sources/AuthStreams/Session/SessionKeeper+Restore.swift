extension SessionKeeper {
    /// Reads the store, waiting for as long as it is locked.
    ///
    /// - Returns: Who is signed in afterwards.
    /// - Throws: `storage` when the record cannot be read, which leaves it as it is and the state signed out
    ///   until it is read after all; `cancelled` while waiting, which leaves the state at restoring.
    func restore() async throws(AuthError) -> AuthUser? {
        while true {
            do throws(AuthError) {
                try await readStore()
                return session?.user
            } catch {
                guard error.code == .storageLocked else { throw error }
            }
            await store.waitUntilUnlocked()
            if Task.isCancelled { throw .cancelled }
        }
    }

    private func readStore() async throws(AuthError) {
        try await storeGate.run { () async throws(AuthError) in
            let (generation, isStoreBehind) = apply { rules, _ in (rules.machine.generation, rules.isStoreBehind) }
            // A sign-in or sign-out that came while the store could not be written is the newer truth.
            guard !isStoreBehind else { return try await writePresent() }
            do throws(AuthError) {
                let stored = try await store.read(.session).map(SessionRecord.session(from:))
                apply { rules, effects in
                    if rules.machine.restored(stored, in: generation) { effects.events.append(AuthEvent(.restored)) }
                }
            } catch {
                apply { rules, effects in
                    if error.code == .storageLocked {
                        rules.machine.restoringBlocked(in: generation)
                        effects.events.append(AuthEvent(.storageLocked))
                    } else {
                        rules.machine.restoringFailed(in: generation)
                        effects.events.append(AuthEvent(.storageFailed, error: error.code))
                    }
                }
                throw error
            }
        }
    }
}
