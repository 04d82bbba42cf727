public import AuthStreams

extension AuthStates {
    /// Returns every state from now on up to and including the first that matches: what a screen would have shown.
    ///
    /// ```swift
    /// let story = await auth.states.prefix(through: { $0.user != nil })
    /// #expect(!story.contains { $0 == .signedOut(nil) })
    /// ```
    ///
    /// Without such a state it returns when the service ends or the task is cancelled.
    public func prefix(through isLast: (AuthState) -> Bool) async -> [AuthState] {
        var states: [AuthState] = []
        for await state in self {
            states.append(state)
            if isLast(state) { break }
        }
        return states
    }
}

extension AuthState {
    /// Whether the state is signed out, for any reason.
    public var isSignedOut: Bool { if case .signedOut = self { true } else { false } }
}
