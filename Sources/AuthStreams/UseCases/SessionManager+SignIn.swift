import Foundation

extension SessionStoreKey {
    /// An empty record that is there for a moment, to try the store.
    static let trial = Self(rawValue: "trial")
}

extension SessionManager {
    /// Notes the steps of a sign-in.
    func steps(of operation: SignInOperation) -> @Sendable (AuthState.SignInStep) -> Void {
        { step in self.transition { $0.reached(step, in: operation, at: $1.uptime) } }
    }

    /// Begins a sign-in; `nil` if it may not.
    typealias SignInBeginning = @Sendable (inout SessionStateMachine, Timestamp) -> SignInOperation?

    /// Makes a stream that runs a chain as the present sign-in, if that may begin.
    ///
    /// Beginning supersedes the sign-in under way: its chain is cancelled through its own child task and ends with `superseded`.
    /// A session that is established before that stays, and is reported.
    ///
    /// - Parameters:
    ///   - begin: Begins it. `nil` ends the stream with ``AuthError/attemptAbandoned``.
    ///   - chain: Makes the chain of this sign-in, which ends with the session that it established.
    func signIn<Established>(
        _ begin: @escaping SignInBeginning, _ chain: @escaping @Sendable (SignInOperation) -> AuthStream<Established>
    ) -> AuthStream<Established> {
        AuthStream(body: {
            guard let operation = self.transition(begin) else { return .failure(.attemptAbandoned) }
            defer { self.currentPrompt.hide(of: operation.id) }
            // The chain begins also when the cancel is there already: what comes with a credential may have to be kept.
            return await chain(operation)
                .interrupted { await operation.interruption.value() }
                .body()
                .mapError { error in self.transition { $0.signInFailed(operation, error, at: $1.uptime) } }
        })
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
