extension AuthStream {
    /// The same attempt in a child task, cancelled as soon as the interruption says so.
    ///
    /// A success that the attempt still returns is the element; a failure is replaced by the interruption's error, with the
    /// provider, the operation and the step that the failure names. The attempt is always waited for.
    ///
    /// - Parameter interruption: Waits for the reason to stop. Runs in a child task beside the attempt and is cancelled
    ///   when that ends; `nil` means that there was none.
    func interrupted(by interruption: @escaping @Sendable () async -> AuthError?) -> AuthStream {
        AuthStream(body: {
            await withTaskGroup(of: Finish<Success>.self) { group in
                group.addTask { .attempt(await body()) }
                group.addTask { .interruption(await interruption()) }
                var reason: AuthError?
                for await finish in group {
                    switch finish {
                    case .interruption(let error):
                        reason = error
                        if error != nil { group.cancelAll() }
                    case .attempt(let outcome):
                        group.cancelAll()
                        guard let reason, case .failure(let error) = outcome else { return outcome }
                        var interruption = reason.located(provider: error.provider, step: error.step)
                        interruption.operation = error.operation
                        return .failure(interruption)
                    }
                }
                return .failure(reason ?? .cancelled)
            }
        })
    }
}

/// The end of an attempt or of its interruption.
private enum Finish<Success: Sendable>: Sendable {
    case attempt(Result<Success, AuthError>)
    case interruption(AuthError?)
}

extension AuthStream {
    /// The same attempt, whose errors name the operation. It keeps an object alive from its beginning until it has ended; the
    /// stream itself does not.
    func retaining(_ object: some AnyObject & Sendable, during operation: AuthOperation) -> AuthStream {
        // No capture list: with one, the compiler lets the closure leave its caller's actor, and attempts that were begun one
        // after the other on the main actor could begin in another order.
        let reference = WeakReference(object)
        return AuthStream(body: {
            let object = reference.object
            defer { withExtendedLifetime(object) {} }
            return await body().mapError { $0.during(operation) }
        })
    }
}

/// An object that is not kept alive. It is never set again, hence unchecked: reading a weak reference is safe on every thread.
private struct WeakReference<Object: AnyObject & Sendable>: @unchecked Sendable {
    private(set) weak var object: Object?

    init(_ object: Object) { self.object = object }
}
