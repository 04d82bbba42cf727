/// Stores the method of the last sign-in on this device beside the session, so that it survives the sign-out.
///
/// What is published is what the store holds: ``follow(_:)`` reads it at the launch, and again after each change by another
/// process.
struct LastSignIns: Sendable {
    let manager: SessionManager

    /// The stored form. Of the user, because the method goes with their account.
    private struct Record: Codable {
        let method: SignInMethod
        let user: AuthUser.ID
    }

    /// Stores and publishes the method of a sign-in.
    ///
    /// A store that fails does not stop the sign-in: it is reported as an event, and what was published stays.
    func note(_ method: SignInMethod, of user: AuthUser.ID) async {
        await change { $0 = Record(method: method, user: user) }
    }

    /// Forgets the method, if it was used by a user whose account no longer exists.
    ///
    /// If the store fails, that is reported as an event, and the method stays.
    func forget(_ user: AuthUser.ID) async {
        await change { if $0?.user == user { $0 = nil } }
    }

    private func change(_ change: (inout Record?) -> Void) async {
        await manager.lastSignInMutex.run {
            let stored = await manager.update(.lastSignIn) { (stored: inout Record?) -> SignInMethod? in
                change(&stored)
                return stored?.method
            }
            if let stored { publish(stored) }
        }
    }

    /// Reads the method once the session was read, so that the launch does not wait for it, and after each change.
    ///
    /// - Parameter changes: An element for each change by another process.
    func follow(_ changes: AsyncStream<Void>) async {
        guard await manager.wasRead.value() != nil else { return }
        await read()
        for await _ in changes { await read() }
    }

    /// Reads the record. While the store is locked or fails, nothing is published, and the reading is retried.
    private func read() async {
        await manager.retryingStore { () async throws(AuthError) in
            try await manager.lastSignInMutex.run { () async throws(AuthError) in
                publish(try await manager.change(.lastSignIn) { (stored: inout Record?) in stored?.method })
            }
        }
    }

    private func publish(_ method: SignInMethod?) {
        guard manager.lastSignIn.value != .some(method) else { return }
        manager.lastSignIn.send(method)
    }
}
