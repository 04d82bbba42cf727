import AuthStreams

/// Plays an output row: a task that reads a sequence by the row's marks, and records the elements.
final class TimelineReader: TimelinePart {
    typealias Loop = @concurrent @Sendable (TimelineReader) async -> Void

    static let fate = TimelineFate.none

    private struct State {
        var task: Task<Void, Never>?
        /// The loop's body, if it is busy, and since when.
        var busy: (since: Int, continuation: CheckedContinuation<Void, Never>)?
        var isStopped = false
    }
    private let state = Lock(State())
    let stage: TimelineStage
    let row: Int
    private let read: Loop

    /// - Parameter read: The loop, which reports to the given reader.
    init(_ stage: TimelineStage, row: Int, read: @escaping Loop) {
        self.stage = stage
        self.row = row
        self.read = read
    }

    func begin() {
        stage.record { [row] in $0.begin(row) }
        let task = stage.start { await self.read(self) }
        state.withLock { $0.task = task }
    }

    func act(at instant: Int) {
        let marks = stage.script[row][instant].marks
        if marks.contains(.cancel) {
            // Recorded first: the effects of cancelling happen before `cancel()` returns.
            note([.cancel])
            state.withLock { $0.task }?.cancel()
        }
        if marks != [.busy] { goOn(before: instant) }
    }

    func settle(at instant: Int) {
        guard state.withLock({ $0.busy != nil }) else { return }
        stage.record { [row] in if $0.isQuiet(row) { $0.add([.busy], to: row) } }
    }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            return state.task
        }?.cancel()
        goOn(before: .max)
    }

    /// Records an element of the loop; returns when the loop's body has handled it.
    ///
    /// - Returns: Whether the loop continues.
    func got(_ marks: [TimelineMark], note text: String? = nil) async -> Bool {
        note(marks, text: text)
        let instant = stage.instant
        let here = stage.script[row][instant].marks
        if let place = here.firstIndex(of: .leave) {
            let count = here[..<place].count(where: \.isElement)
            let isTheOne = stage.record { [row] in $0.elements(in: row) >= count }
            if isTheOne { return leave() }
        }
        let next = stage.script[row][instant + 1].marks
        if next.first == .busy || next == [.leave] {
            await beBusy(since: instant)
            if stage.script[row][stage.instant].marks.first == .leave { return leave() }
        }
        return state.withLock { !$0.isStopped }
    }

    /// Records that the sequence ended.
    func ended(_ marks: [TimelineMark], note text: String? = nil) {
        note(marks, text: text, ending: true)
    }

    private func leave() -> Bool {
        note([.leave], ending: true)
        return false
    }

    private func note(_ marks: [TimelineMark], text: String? = nil, ending: Bool = false) {
        stage.record { [row] in $0.add(marks, to: row, ending: ending, note: text) }
    }

    private func beBusy(since instant: Int) async {
        await withCheckedContinuation { continuation in
            let isStopped = state.withLock { state in
                if !state.isStopped { state.busy = (instant, continuation) }
                return state.isStopped
            }
            if isStopped { continuation.resume() }
        }
    }

    private func goOn(before instant: Int) {
        let continuation: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard let busy = state.busy, busy.since < instant else { return nil }
            state.busy = nil
            return busy.continuation
        }
        continuation?.resume()
    }
}

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

/// The function that a timeline's readers call on an iterator.
///
/// Iterators that implement both must behave alike: `for await` calls one or the other, depending on the system's
/// version.
package enum TimelineReading: Sendable, CaseIterable {
    /// `next(isolation:)`, as `for await` does on iOS 18, macOS 15, Linux and later.
    case isolatedNext
    /// `next()`, as `for await` does on older Apple systems.
    case plainNext
}
