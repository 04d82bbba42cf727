public import AuthStreams

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

extension TimelineRows {
    /// Plays a row that reads the sequence by its marks, and shows the elements.
    ///
    /// The reader begins where the row begins. It is cancelled at `X`, leaves its loop at `<` and is busy with the
    /// element before it at `#`; all other marks show the sequence's behavior.
    ///
    /// - Parameters:
    ///   - name: The row.
    ///   - sequence: The sequence to read.
    ///   - alphabet: The characters of the elements.
    ///   - skipped: The number of elements that the iterator missed just before the one it returned: `\.skipped` of a
    ///     broadcast's. Shown as a gap, `(~3d)`.
    ///   - failures: The character of an error, shown after the `!`, as in `(!N)`; `nil` for only the `!`.
    public func output<Sequence: AsyncSequence & Sendable>(
        _ name: String, _ sequence: Sequence, as alphabet: TimelineAlphabet<Sequence.Element>,
        skipped: @escaping @Sendable (Sequence.AsyncIterator) -> Int = { _ in 0 },
        failures: @escaping @Sendable (any Error) -> Character? = { _ in nil }
    ) where Sequence.Element: Sendable {
        let read = TimelineReader.loop(sequence, as: alphabet, skipped: skipped, failures: failures)
        let reader = stage.cast(
            name, as: "an output row", allowing: { _ in true },
            make: { TimelineReader(stage, row: $0, read: read) })
        if let reader { stage.checkPauses(of: reader.row) }
    }

    /// Plays a row that reads a sequence of characters by its marks, and shows them.
    public func output<Sequence: AsyncSequence & Sendable>(
        _ name: String, _ sequence: Sequence, skipped: @escaping @Sendable (Sequence.AsyncIterator) -> Int = { _ in 0 },
        failures: @escaping @Sendable (any Error) -> Character? = { _ in nil }
    ) where Sequence.Element == Character {
        output(name, sequence, as: .characters, skipped: skipped, failures: failures)
    }
}

extension TimelineRows {
    /// Plays a row with effects outside the timeline: calls `send` at its elements, and `finish` at its `|`.
    ///
    /// ```swift
    /// rows.write("taps", send: { store.tap($0) })
    /// ```
    public func write<Element: Sendable>(
        _ name: String, as alphabet: TimelineAlphabet<Element>, send: @escaping @Sendable (Element) -> Void,
        finish: @escaping @Sendable () -> Void = {}
    ) {
        _ = stage.cast(
            name, as: "a row that writes: it takes elements - |",
            allowing: { mark in
                if case .element(let character) = mark { alphabet.read(character) != nil } else { mark == .end }
            },
            make: { TimelineWriter(stage: stage, row: $0, alphabet: alphabet, send: send, finish: finish) })
    }

    /// Plays a row with effects outside the timeline: calls `send` at its characters, and `finish` at its `|`.
    public func write(
        _ name: String, send: @escaping @Sendable (Character) -> Void, finish: @escaping @Sendable () -> Void = {}
    ) {
        write(name, as: .characters, send: send, finish: finish)
    }

    /// Plays a row that sends its elements to a broadcast, and finishes it at its `|`.
    public func write<Element: Sendable>(
        _ name: String, as alphabet: TimelineAlphabet<Element>, to broadcast: Broadcast<Element>
    ) {
        write(name, as: alphabet, send: { broadcast.send($0) }, finish: { broadcast.finish() })
    }

    /// Plays a row that sends its characters to a broadcast, and finishes it at its `|`.
    public func write(_ name: String, to broadcast: Broadcast<Character>) {
        write(name, as: .characters, to: broadcast)
    }

    /// Plays a row that shows the test's notes, at the instant at which they are added.
    ///
    /// - Returns: A closure that adds an element.
    public func log<Element: Sendable>(
        _ name: String, as alphabet: TimelineAlphabet<Element>
    ) -> @Sendable (Element) -> Void {
        let log = stage.cast(
            name, as: "a log row: it shows elements and -", allowing: \.isElement,
            make: { TimelineLog(stage: stage, row: $0) })
        return { [stage] element in
            guard let log else { return }
            let (mark, note) = stage.mark(for: element, alphabet, row: log.row)
            stage.record { $0.add([mark], to: log.row, note: note) }
        }
    }

    /// Plays a row that shows the test's characters, at the instant at which they are added.
    ///
    /// - Returns: A closure that adds a character.
    public func log(_ name: String) -> @Sendable (Character) -> Void { log(name, as: .characters) }
}

/// Plays a row with outside effects: sends to a broadcast, calls a store, and so on.
struct TimelineWriter<Element: Sendable>: TimelinePart {
    static var fate: TimelineFate { .none }

    let stage: TimelineStage
    let row: Int
    let alphabet: TimelineAlphabet<Element>
    let send: @Sendable (Element) -> Void
    let finish: @Sendable () -> Void

    func begin() { stage.record { [row] in $0.begin(row) } }

    func act(at instant: Int) {
        for mark in stage.script[row][instant].marks {
            stage.record { [row] in $0.add([mark], to: row, ending: mark.isLast) }
            switch mark {
            case .element(let character): if let element = alphabet.read(character) { send(element) }
            case .end: finish()
            case .gap, .failure, .cancel, .leave, .busy: break
            }
        }
    }
}

/// Plays a row that only shows the test's notes.
struct TimelineLog: TimelinePart {
    static let fate = TimelineFate.silenced

    let stage: TimelineStage
    let row: Int

    func begin() { stage.record { [row] in $0.begin(row) } }
}
