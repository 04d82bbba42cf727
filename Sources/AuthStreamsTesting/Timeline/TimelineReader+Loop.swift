extension TimelineReader {
    /// Returns the loop of a reader.
    static func loop<Sequence: AsyncSequence & Sendable>(
        _ sequence: Sequence, as alphabet: TimelineAlphabet<Sequence.Element>,
        skipped: @escaping @Sendable (Sequence.AsyncIterator) -> Int,
        failures: @escaping @Sendable (any Error) -> Character?
    ) -> Loop where Sequence.Element: Sendable {
        { reader in
            var iterator = sequence.makeAsyncIterator()
            do {
                while let element = try await reader.stage.reading.next(&iterator) {
                    let (mark, note) = reader.stage.mark(for: element, alphabet, row: reader.row)
                    let gap = skipped(iterator)
                    guard await reader.got(gap > 0 ? [.gap(gap), mark] : [mark], note: note) else { return }
                }
                reader.ended([.end])
            } catch {
                reader.ended([.failure] + (failures(error).map { [.element($0)] } ?? []))
            }
        }
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
    /// Returns the marks for an element, and a note if it has no character.
    func mark<Element: Sendable>(
        for element: Element, _ alphabet: TimelineAlphabet<Element>, row: Int
    ) -> (mark: TimelineMark, note: String?) {
        if let character = alphabet.write(element), TimelineMark.isElement(character) {
            return (.element(character), nil)
        }
        return (.element("?"), "? in \(script[row].name) at instant \(instant) is \(element)")
    }

    /// Checks that a reader is busy only after an element, and leaves only with one.
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
