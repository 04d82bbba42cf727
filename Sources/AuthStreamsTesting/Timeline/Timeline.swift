/// A test of streams as a picture: inputs and outputs, one row each, one character per instant.
///
/// ```swift
/// @Test func tapIsIgnoredWhileOneIsInFlight() throws {
///     try Timeline(
///         """
///         taps     a-b----c----|
///         first    --1--2|
///         second          --3|
///         results  --1--2---3--|
///         """
///     ).run { rows in
///         let answers: [Character: String] = ["a": "first", "c": "second"]
///         let taps = rows.input("taps")
///         rows.output("results", taps.flatMapFirst { rows.input(answers[$0] ?? "none") })
///     }
/// }
/// ```
///
/// The picture is script and expectation in one. It is played on the calling thread, with its own clock and an executor
/// that runs everything in the order in which it became ready: no time passes, no thread is waited for, and the same
/// picture always gives the same result. If the result differs, ``run(instant:_:)`` throws a
/// ``TimelineMismatch`` that shows both.
///
/// ## Marks
///
/// A row is a name without blanks, blanks, and one mark for each instant. All rows begin at the same column.
///
/// | mark | in a row that is read (`input`) | in a row that reads (`output`) |
/// | --- | --- | --- |
/// | letter, digit | sends this element | got this element |
/// | `-` | an instant in which nothing happens | the same: it waits |
/// | `\|` | the end | the sequence ended |
/// | `!` | throws (`throwingInput`) | the sequence threw; `(!N)` shows which error |
/// | `X` | its reader was cancelled | **the reader's task is cancelled here.** `X` and blanks: that ended it at once; `X-\|`: it ended two instants later; `(Xc)`: it was still given `c` |
/// | `<` | its reader released it | **the reader leaves its loop** (`break`) |
/// | `#` | | **the reader is busy** with the element before it, and reads on at the next mark |
/// | `(~3d)` | | 3 elements were missed just before `d` |
/// | `(ab)` | both at the instant of the parenthesis; the characters of a group cover the instants after it, which are quiet | the same |
/// | blanks before | its reading begins here | **the reader joins here** |
/// | blanks after | it is over | it is over |
///
/// Bold is the test's action; everything else is its expectation. Every row is written to its end or to the end of the
/// picture. Rows that write (`write`) send elements and finish at `|`; rows that log (`log`) show the test's notes.
///
/// ## Order within an instant
///
/// 1. The clock moves, and the sleepers until now wake in order of arrival.
/// 2. The readers that join here begin, from top to bottom.
/// 3. The rows act from top to bottom. The elements of a group are sent without a break.
///
/// After the clock has moved, and after each row has begun or acted, all tasks run until they are suspended. So write
/// the senders above the readers.
///
/// ## What stays on the timeline
///
/// Readers, their child tasks, the operators of AuthStreams, default actors, and sleep on ``TimelineRows/clock``. A
/// plain `Task {}` inside runs elsewhere, in its own time; ``TimelineRows/task(_:)`` starts one that stays.
public struct Timeline: Sendable {
    let text: String

    /// Makes a timeline from a picture, which is parsed when it is played.
    public init(_ picture: String) {
        text = picture
    }

    /// Plays the timeline and compares.
    ///
    /// - Parameters:
    ///   - instant: The clock's step per instant.
    ///   - connect: Assigns a part to each row, before instant 0. It makes all objects of the test.
    /// - Throws: ``TimelineMismatch`` if the result differs; ``TimelineError`` if it cannot be played as written, and
    ///   on Apple systems before iOS 18 and macOS 15, which have no task executors; or the error of `connect`.
    public func run(instant: Duration = .seconds(1), _ connect: (TimelineRows) throws -> Void) throws {
        try run(instant: instant, reading: .isolatedNext, connect)
    }

    /// Plays the timeline with readers that call that function on their iterators, and compares.
    ///
    /// - Throws: As ``run(instant:_:)``.
    package func run(
        instant: Duration = .seconds(1), reading: TimelineReading, _ connect: (TimelineRows) throws -> Void
    ) throws {
        let picture = try TimelinePicture(text)
        try TimelinePlay(picture: picture, instant: instant, reading: reading).run(connect)
    }

    /// Plays the timeline once for each instant of a reader's row, with that reader cancelled there.
    ///
    /// The picture shows the result without cancellation. The expectation is that picture cut at each instant: the
    /// reader's row ends with `X`, so do the input rows that are being read, rows that would begin later never do, and
    /// log rows have no more notes. Rows that write and other readers continue.
    ///
    /// - Parameters:
    ///   - reader: The row of the reader to cancel.
    ///   - last: What the reader still receives in the instant of its cancellation; nothing unless given.
    ///   - instant: The clock's step per instant.
    ///   - reading: The function that the readers call on their iterators.
    ///   - connect: Assigns a part to each row. Called for each of the plays.
    /// - Throws: As ``run(instant:_:)``.
    package func run(
        cancelling reader: String, delivering last: String = "", instant: Duration = .seconds(1),
        reading: TimelineReading = .isolatedNext, _ connect: (TimelineRows) throws -> Void
    ) throws {
        let picture = try TimelinePicture(text)
        for cancellation in try TimelineCancellation.all(of: reader, delivering: last, in: picture) {
            try TimelinePlay(
                picture: picture, instant: instant, reading: reading, cancellation: cancellation
            ).run(connect)
        }
    }
}

/// A timeline that cannot be played as it is written, or whose rules were broken.
///
/// The description has the problem and its remedy, and points at the position.
public struct TimelineError: Error, Hashable, CustomStringConvertible {
    /// For the person who writes the test.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    /// - Parameter column: The column of the caret, counted from 0.
    init(_ message: String, line: String, column: Int) {
        description = "\(message)\n\n    \(line)\n    \(String(repeating: " ", count: column))^"
    }
}
