/// A test of streams as a picture: what goes in and what comes out, one row under the other, one character per instant.
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
/// The picture is script and expectation in one. It is played on the calling thread, on a clock of its own and an
/// executor that runs everything in the order in which it became ready: no time passes, no thread is waited for, and the
/// same picture always goes the same way. When it went another way, ``run(instant:reading:_:)`` throws a
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
/// | `<` | its reader let go of it | **the reader leaves its loop** (`break`) |
/// | `#` | | **the reader is busy** with the element before it, and reads on at the next mark |
/// | `(~3d)` | | 3 elements were missed just before `d` |
/// | `(ab)` | both at the instant of the parenthesis; the characters of a group cover the instants after it, which are quiet | the same |
/// | blanks before | its reading begins here | **the reader joins here** |
/// | blanks after | it is over | it is over |
///
/// Bold is what the test does; everything else is what it expects. Every row is written to its end or to the end of the
/// picture. Rows that write (`write`) send elements and finish at `|`; rows that log (`log`) show what the test notes.
///
/// ## Order within an instant
///
/// 1. The clock moves, and those who slept until now wake, first come first.
/// 2. The readers that join here begin, from top to bottom.
/// 3. The rows act from top to bottom. The elements of a group are sent in one go.
///
/// After the clock has moved, and after each row has begun or acted, everybody runs until nobody can go on. So write what
/// sends above what reads.
///
/// ## What stays on the timeline
///
/// Readers, their child tasks, the operators of AuthStreams, default actors, and sleep on ``TimelineRows/clock``. What
/// starts a plain `Task {}` inside runs elsewhere, in its own time; ``TimelineRows/task(_:)`` starts one that doesn't.
public struct Timeline: Sendable {
    let text: String

    /// Makes a timeline of a picture. It is read when it is played.
    public init(_ picture: String) {
        text = picture
    }

    /// Plays the timeline and compares.
    ///
    /// - Parameters:
    ///   - instant: How far each instant moves the clock.
    ///   - reading: How the readers ask their iterators.
    ///   - connect: Says what each row is, before instant 0. It makes all that the test is about.
    /// - Throws: ``TimelineMismatch`` when it went another way; ``TimelineError`` when it cannot be played as written, and
    ///   on Apple systems before iOS 18 and macOS 15, which have no task executors; what `connect` throws.
    public func run(
        instant: Duration = .seconds(1), reading: TimelineReading = .isolatedNext,
        _ connect: (TimelineRows) throws -> Void
    ) throws {
        let picture = try TimelinePicture(text)
        try TimelinePlay(picture: picture, instant: instant, reading: reading).run(connect)
    }

    /// Plays the timeline once for each instant of a reader's row, with that reader cancelled there.
    ///
    /// The picture shows how it goes without cancellation. Cut at each instant, it is what is expected: the reader's row
    /// ends with `X`, so do the input rows that are being read, rows that would begin later never do, and log rows say no
    /// more. Rows that write and other readers go on.
    ///
    /// - Parameters:
    ///   - reader: The row of the reader to cancel.
    ///   - last: What the reader is still given, in the instant of its cancellation; nothing unless said.
    ///   - instant: How far each instant moves the clock.
    ///   - reading: How the readers ask their iterators.
    ///   - connect: Says what each row is. Called for each of the plays.
    /// - Throws: As ``run(instant:reading:_:)``.
    public func run(
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
