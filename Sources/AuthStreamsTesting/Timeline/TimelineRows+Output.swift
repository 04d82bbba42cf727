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
