/// The elements of the sequences that have the operators on results. Only `Result` conforms.
public protocol ResultElement<Success, Failure>: SendableMetatype {
    /// The value of a success.
    associatedtype Success
    /// The error of a failure.
    associatedtype Failure: Error

    /// The element as a `Result`.
    var result: Result<Success, Failure> { get }
}

extension Result: ResultElement {
    /// The same.
    @inlinable public var result: Self { self }
}
