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
        let reader = stage.cast(name, as: "an output row", allowing: { _ in true }) { row in
            TimelineReader(stage, row: row) { @concurrent [stage] reader in
                var iterator = sequence.makeAsyncIterator()
                do {
                    while let element = try await stage.reading.next(&iterator) {
                        let (mark, note) = stage.mark(for: element, alphabet, row: row)
                        let count = skipped(iterator)
                        guard await reader.got(count > 0 ? [.gap(count), mark] : [mark], note: note) else { return }
                    }
                    reader.ended([.end])
                } catch {
                    reader.ended([.failure] + (failures(error).map { [.element($0)] } ?? []))
                }
            }
        }
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

extension TimelineReading {
    @concurrent
    func next<Iterator: AsyncIteratorProtocol>(_ iterator: inout Iterator) async throws -> Iterator.Element?
    where Iterator.Element: Sendable {
        if self == .isolatedNext, #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) {
            return try await iterator.next(isolation: nil)
        }
        return try await iterator.next()
    }
}

extension TimelineStage {
    /// How a row shows an element, and a word about it when it has no character.
    func mark<Element: Sendable>(
        for element: Element, _ alphabet: TimelineAlphabet<Element>, row: Int
    ) -> (mark: TimelineMark, note: String?) {
        if let character = alphabet.write(element), TimelineMark.isElement(character) {
            return (.element(character), nil)
        }
        return (.element("?"), "? in \(script[row].name) at instant \(instant) is \(element)")
    }

    /// A reader is busy with an element, and leaves with one.
    func checkPauses(of row: Int) {
        for (instant, cell) in script[row].cells.enumerated() {
            guard let mark = cell.marks.first, mark == .busy || mark == .leave else { continue }
            let before = instant > 0 ? script[row][instant - 1].marks.last : nil
            guard before == .busy || before?.isElement ?? false else {
                fail(
                    error(
                        "\(mark.text) comes after an element, which the reader has in hand.", row: row, instant: instant
                    ))
                return
            }
        }
    }
}
