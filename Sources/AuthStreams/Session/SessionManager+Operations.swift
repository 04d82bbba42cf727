import Foundation

extension SessionStoreKey {
    /// An empty record that is there for a moment, to try the store.
    static let trial = Self(rawValue: "trial")
}

extension SessionManager {
    /// Makes a stream that runs a chain as the present sign-in.
    ///
    /// Beginning supersedes the sign-in under way: its chain is cancelled through its own child task and ends with `superseded`.
    /// A session that is established before that stays, and is reported.
    ///
    /// - Parameter chain: Makes the chain of this sign-in, which ends with the session that it established.
    func signIn(
        with provider: ProviderID, from step: AuthState.SignInStep,
        _ chain: @escaping @Sendable (SignInOperation) -> AuthStream<Session>
    ) -> AuthStream<Session> {
        signIn({ $0.signInBegan(with: provider, at: step, $1.uptime) }, chain)
    }

    /// Makes a stream that runs a chain as the present sign-in, if that may begin.
    ///
    /// - Parameters:
    ///   - begin: Begins it. `nil` ends the stream with ``AuthError/attemptAbandoned``.
    ///   - chain: Makes the chain of this sign-in, which ends with the session that it established.
    func signIn(
        _ begin: @escaping @Sendable (inout SessionStateMachine, Timestamp) -> SignInOperation?,
        _ chain: @escaping @Sendable (SignInOperation) -> AuthStream<Session>
    ) -> AuthStream<Session> {
        AuthStream(body: {
            guard let operation = self.transition(begin) else { return .failure(.attemptAbandoned) }
            // The chain begins also when the cancel is there already: what comes with a credential may have to be kept.
            return await chain(operation)
                .interrupted { await operation.interruption.value() }
                .body()
                .mapError { error in self.transition { $0.signInFailed(operation, error, at: $1.uptime) } }
        })
    }

    /// The server deleted the account: ends the session in memory and in the store.
    func accountDeleted(by change: AccountChange) async {
        // First: a process that finds the session after a restart learns of the deletion, and one that finds none does not.
        await LastSignIns(manager: self).forget(change.userID)
        // If the store fails, the write is retried automatically; the server refuses what a restart finds before that.
        if transition({ machine, _ in machine.accountDeleted(by: change) }) { try? await persistPending() }
        await PendingAttempts(manager: self).clear()
    }

    /// Writes and removes a record before the person is asked, so that a store that cannot be used is reported before they go
    /// through a page for a session that ends with the process.
    func tryStore(for operation: SignInOperation) async {
        do throws(AuthError) {
            // Other bytes than those that a process left which ended in between, or nothing would be written. As many as the record
            // of a session has, so that a full disk is noticed.
            let word = withUnsafeBytes(of: UInt64.random(in: .min ... .max)) { Data($0) }
            let bytes = (0..<9).reduce(word) { bytes, _ in bytes + bytes }
            for content in [bytes, nil] { try await store.update(.trial) { $0 = content } }
        } catch {
            guard error.code != .cancelled else { return }
            let kind: AuthEvent.Kind = error.code == .storageLocked ? .storageLocked : .storageFailed
            emit(operation.event(kind, at: clock.uptime, step: .presenting, failure: error))
        }
    }

    /// Reports an error that did not end a sign-in or a change.
    func warn<Subject>(of error: AuthError, in operation: Operation<Subject>) {
        emit(operation.event(.providerWarning, at: clock.uptime, step: error.step, failure: error))
    }
}
