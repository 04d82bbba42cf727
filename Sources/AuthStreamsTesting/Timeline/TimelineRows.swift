/// The rows of a timeline that is being played, and its clock. A test connects its streams to them.
///
/// Each row has one part: the function that is called with its name. The parameter `as` has the characters of the
/// elements.
public struct TimelineRows: Sendable {
    let stage: TimelineStage

    /// The clock of the timeline: it starts at zero at instant 0, and each instant moves it by one step.
    ///
    /// Tasks that sleep until an instant wake before any other event of it.
    public var clock: ManualClock { stage.clock }

    /// Plays an input row: sends its elements to the one reader of the sequence.
    public func input<Element: Sendable>(
        _ name: String, as alphabet: TimelineAlphabet<Element>
    ) -> TimelineInput<Element> {
        TimelineInput(feed: feed(name, alphabet, "an input row: it takes elements - | X <") { $0 != .failure })
    }

    /// Plays an input row: sends its characters to the one reader of the sequence.
    public func input(_ name: String) -> TimelineInput<Character> { input(name, as: .characters) }

    /// Plays an input row that may throw at `!`.
    public func throwingInput<Element: Sendable>(
        _ name: String, as alphabet: TimelineAlphabet<Element>
    ) -> TimelineThrowingInput<Element> {
        TimelineThrowingInput(
            feed: feed(name, alphabet, "a throwing input row: it takes elements - | ! X <") { _ in true })
    }

    /// Plays an input row of characters that may throw at `!`.
    public func throwingInput(_ name: String) -> TimelineThrowingInput<Character> {
        throwingInput(name, as: .characters)
    }

    private func feed<Element: Sendable>(
        _ name: String, _ alphabet: TimelineAlphabet<Element>, _ role: String, _ allowed: (TimelineMark) -> Bool
    ) -> TimelineFeed<Element>? {
        stage.cast(
            name, as: role,
            allowing: { mark in
                switch mark {
                case .element(let character): alphabet.read(character) != nil
                case .gap, .busy: false
                case .end, .failure, .cancel, .leave: allowed(mark)
                }
            },
            make: { TimelineFeed(stage, row: $0, alphabet: alphabet) })
    }

    /// Starts a task on the timeline, unlike a plain `Task {}`. It is cancelled at the end of the timeline.
    @discardableResult
    public func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> { stage.startGuest(body) }
}
