/// An outcome that can be thrown again by a function that `rethrows`.
///
/// A coordinated operator receives what its base throws in one task and passes it on in another, where the compiler no
/// longer sees where it came from. An iterator whose `next()` rethrows does throw if one of the sequences that it is
/// generic over does; `rethrown()` rethrows by the same rule and may be called in it.
@rethrows
@usableFromInline
protocol Rethrowable {
    associatedtype Value
    func get() throws -> Value
}

extension Rethrowable {
    @inlinable func rethrown() rethrows -> Value { try get() }
}

extension Result: Rethrowable {}
