extension SessionManager {
    /// Begins to adopt the session of another SDK, unless a user is signed in here.
    ///
    /// It is on disk before any reader sees it. If that fails, the write is retried automatically.
    ///
    /// - Returns: The session to wait for: this one, or that of the user who is signed in; `nil` for none.
    @discardableResult
    func beginAdoption(of session: AdoptableSession) async -> SessionID? {
        await writing {
            if transition({ machine, _ in machine.adoptionDecided(session) }) { try? await writePending() }
            return read { $0.user != nil || $0.kept?.refreshToken == session.refreshToken ? $0.kept?.id : nil }
        }
    }

    /// Makes the other SDK discard its copy, in a task of its own.
    func startDiscarding() {
        if adoption != nil { outstanding.start { await self.discardAdopted() } }
    }

    /// Makes the other SDK discard its copy of a session that is stored here, or is over.
    package func discardAdopted() async {
        guard let adoption, !isInsideAdoptionClosure else { return }
        await launchMutex.run {
            // A failure is retried at the next launch.
            guard let found = try? await readSession() else { return }
            // A record that was removed says nothing of it.
            let history = found.record?.history ?? read { $0.storage.history }
            guard history.isAdopted, !history.isDiscarded, (try? await calling(adoption.discard)) != nil else {
                return
            }
            // Not during a request: over a record that was written since, its mark could not be cleared.
            await refreshMutex.run { await writing { await noteDiscarded() } }
            await persistQueued()
        }
    }

    /// Notes it in the record. A failure is retried at the next launch.
    private func noteDiscarded() async {
        // What was decided before it is stored first: a store that takes the note takes that, too.
        if read({ $0.storage.pending != nil }), (try? await writePending()) == nil { return }
        for _ in 0..<StoredRecord.attempts {
            guard let found = try? await readSession(),
                let record = transition({ $0.copyDiscarded(over: found, at: $1) })
            else { return }
            do throws(AuthError) { if try await write(record, over: found) != nil { return } } catch { return }
        }
    }

    // MARK: Calling the app

    /// Asks the app for the session of another SDK.
    func adoptableSession(from adoption: SessionAdoption) async throws(AuthError) -> AdoptableSession? {
        do throws(AuthError) { return try await AuthError.wrapping { try await calling(adoption.find) } } catch {
            // A cancellation without a cancelled task is a failure: otherwise the restoration would not be retried.
            guard error.code == .cancelled, !Task.isCancelled else { throw error }
            throw AuthError(
                .storage, "The closure for the session of another SDK threw a cancellation. It is called again.")
        }
    }

    /// Whether the calling task runs a closure of `adoption`, or was started by one. Restoring waits for those closures, so
    /// they can't wait for it.
    var isInsideAdoptionClosure: Bool { SessionAdoption.caller == ObjectIdentifier(self) }

    /// Runs a closure of `adoption`.
    func calling<Value>(_ closure: @Sendable () async throws -> Value) async throws -> Value {
        try await SessionAdoption.$caller.withValue(ObjectIdentifier(self)) { try await closure() }
    }
}

extension AdoptableSession {
    /// Checks the token's form: visible characters and spaces, at least one visible (RFC 6749 appendix A.17).
    ///
    /// - Throws: `invalidCredential`.
    func validate() throws(AuthError) {
        let bytes = refreshToken.reveal().utf8
        guard bytes.contains(where: { $0 != 0x20 }), bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw AuthError(
                .invalidCredential,
                "The refresh token to adopt is empty or has characters that no token has. Pass it as the other SDK stored it.",
                provider: provider)
        }
    }
}
