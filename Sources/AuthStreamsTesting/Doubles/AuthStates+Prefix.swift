public import AuthStreams

extension AuthStates {
    /// Every state from now on up to and including the first that fits: the story that a screen would have shown.
    ///
    /// ```swift
    /// let story = await auth.states.prefix(through: { $0.user != nil })
    /// #expect(!story.contains { $0 == .signedOut(nil) })
    /// ```
    ///
    /// Without such a state it ends with the service, or with its task.
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
    /// Whether nobody is signed in, whatever the reason.
    public var isSignedOut: Bool { if case .signedOut = self { true } else { false } }
}
