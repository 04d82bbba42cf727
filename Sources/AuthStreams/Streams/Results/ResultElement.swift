/// What an element must be for the operators on sequences of results. Only `Result` is.
public protocol ResultElement<Success, Failure>: SendableMetatype {
    /// What a success carries.
    associatedtype Success
    /// What a failure carries.
    associatedtype Failure: Error

    /// The element as what it is.
    var result: Result<Success, Failure> { get }
}

extension Result: ResultElement {
    /// The same.
    @inlinable public var result: Self { self }
}
