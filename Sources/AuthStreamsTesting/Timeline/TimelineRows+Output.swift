extension TimelineRows {
    /// A row that reads the sequence, as its marks say, and shows what it gets.
    ///
    /// The reader begins where the row begins. It is cancelled at `X`, leaves its loop at `<` and is busy with the element
    /// before it at `#`; everything else in the row is what the sequence did.
    ///
    /// - Parameters:
    ///   - name: The row.
    ///   - sequence: What is read.
    ///   - alphabet: Which character stands for which element.
    ///   - skipped: How many elements the iterator missed just before the one it returned: `\.skipped` of a broadcast's.
    ///     Shown as a gap, `(~3d)`.
    ///   - failures: The character of an error, shown behind the `!`, as in `(!N)`; `nil` for the `!` alone.
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

    /// A row that reads a sequence of characters, as its marks say, and shows what it gets.
    public func output<Sequence: AsyncSequence & Sendable>(
        _ name: String, _ sequence: Sequence, skipped: @escaping @Sendable (Sequence.AsyncIterator) -> Int = { _ in 0 },
        failures: @escaping @Sendable (any Error) -> Character? = { _ in nil }
    ) where Sequence.Element == Character {
        output(name, sequence, as: .characters, skipped: skipped, failures: failures)
    }
}
