public import AuthStreams

extension AuthViewModel {
    /// The errors of an ``AuthViewModel``'s intents, for any number of readers: one toast each.
    ///
    /// ```swift
    /// for await error in model.errors { log.record(error.debugDescription) }
    /// ```
    ///
    /// SwiftUI receives them by `onAuthError(of:_:)`. They are events: the same error twice is two elements, and a view that is
    /// drawn again receives none again.
    ///
    /// | question | answer |
    /// | --- | --- |
    /// | first element | the first error after `makeAsyncIterator()` |
    /// | which errors | those of this model's intents. A cancel of the person and an attempt that a newer one replaced are none |
    /// | a slow reader | more than 65 536 errors behind it jumps to the newest |
    /// | end | when the model is released. The sequence and its iterators do not keep the model alive |
    public struct Errors: AsyncSequence, Sendable {
        private let broadcast: Broadcast<AuthError>

        init(_ broadcast: Broadcast<AuthError>) {
            self.broadcast = broadcast
        }

        /// Joins after the newest error.
        public func makeAsyncIterator() -> Broadcast<AuthError>.Iterator { broadcast.makeAsyncIterator() }
    }
}
