import AuthStreamsTesting
import TestSupport
import Testing

@testable import AuthStreams

@Suite struct FlatMapFirstTests {
    /// A base whose taps are sent by hand, and inner attempts that end when their gate opens.
    private struct Rig: Sendable {
        let taps: AsyncStream<String>
        let tap: AsyncStream<String>.Continuation
        let started = Lock<[String]>([])
        let gates = ["a": Promise<String>(), "b": Promise<String>(), "c": Promise<String>()]

        init() {
            (taps, tap) = AsyncStream.makeStream()
        }

        func attempt(_ name: String) -> AuthStream<String> {
            AuthStream {
                started.withLock { $0.append(name) }
                guard let value = await gates[name]?.value() else { throw CancellationError() }
                return value
            }
        }

        func waitUntilStarted(_ name: String) async throws {
            try await wait(for: "attempt \(name) to start") { started.withLock { $0.contains(name) } }
        }
    }

    /// Passes elements on and counts those that were asked for.
    private struct Counted: AsyncSequence, Sendable {
        let base: AsyncStream<String>
        let asked: Lock<Int>

        struct AsyncIterator: AsyncIteratorProtocol {
            var base: AsyncStream<String>.AsyncIterator
            let asked: Lock<Int>

            @concurrent mutating func next() async -> String? {
                asked.withLock { $0 += 1 }
                return await base.next()
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: base.makeAsyncIterator(), asked: asked) }
    }

    @Test func elementsAreIgnoredWhileOneIsInFlight() async throws {
        let rig = Rig()
        let asked = Lock(0)
        let results = Task {
            var seen: [String] = []
            for await result in Counted(base: rig.taps, asked: asked).flatMapFirst(rig.attempt) {
                seen.append((try? result.get()) ?? "failed")
                rig.tap.finish()
            }
            return seen
        }
        rig.tap.yield("a")
        try await rig.waitUntilStarted("a")
        rig.tap.yield("b")
        rig.tap.yield("b")
        // A reader that asks for the fourth element has handled the first three.
        try await wait(for: "the fourth element to be asked for") { asked.withLock { $0 } == 4 }
        rig.gates["a"]?.resolve("A")
        #expect(await results.value == ["A"])
        #expect(rig.started.withLock { $0 } == ["a"])
    }

    @Test func whoHasSeenTheResultCanTapAgain() async {
        let (taps, tap) = AsyncStream<Int>.makeStream()
        var results = taps.flatMapFirst { AuthStream.success($0).mapSuccess { $0 * 10 } }.makeAsyncIterator()
        for number in 1...500 {
            tap.yield(number)
            #expect(await results.next() == .success(number * 10))
        }
        tap.finish()
        #expect(await results.next() == nil)
    }

    /// Says that it has one element, and minds being asked for another.
    private struct Only: AsyncSequence, OneElementSequence, Sendable {
        let element: Int

        struct AsyncIterator: AsyncIteratorProtocol {
            var element: Int?

            mutating func next() async -> Int? {
                if element == nil { Issue.record("Its end is known.") }
                return element.take()
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(element: element) }
    }

    @Test func theEndOfWhatHasOneElementIsNotWaitedFor() async {
        #expect(AuthStream.success(1) is any OneElementSequence)
        #expect(AuthStream.success(1).mapSuccess { $0 }.flatMapSuccess { .success($0) } is any OneElementSequence)
        #expect(!(AuthStream.success(1).successes is any OneElementSequence))
        for await number in AuthStream.success(1).successes.flatMapFirst({ Only(element: $0) }) {
            #expect(number == 1)
        }
    }

    @Test func aFailedAttemptDoesNotEndTheTaps() async {
        let (taps, tap) = AsyncStream<Int>.makeStream()
        var results = taps.flatMapFirst { number in
            AuthStream<Int> { if number == 1 { throw AuthError(.accessDenied, "No.") } else { return number } }
        }.makeAsyncIterator()
        tap.yield(1)
        #expect(await results.next()?.error?.code == .accessDenied)
        tap.yield(2)
        #expect(await results.next() == .success(2))
    }

    @Test func theEndWaitsForTheAttemptInFlight() async throws {
        let rig = Rig()
        let results = Task {
            var seen: [Result<String, AuthError>] = []
            for await result in rig.taps.flatMapFirst(rig.attempt) { seen.append(result) }
            return seen
        }
        rig.tap.yield("a")
        try await rig.waitUntilStarted("a")
        rig.tap.finish()
        rig.gates["a"]?.resolve("A")
        #expect(await results.value == [.success("A")])
    }

    @Test func cancellingTheReaderCancelsTheAttempt() async {
        let attempts = Lock(0)
        let ended = Promise<Bool>()
        let started = Promise<Void>()
        let (taps, tap) = AsyncStream<Int>.makeStream()
        let reader = Task {
            let results = taps.flatMapFirst { _ in
                AuthStream<Int> {
                    attempts.withLock { $0 += 1 }
                    started.resolve(())
                    _ = await Promise<Int>().value()
                    ended.resolve(Task.isCancelled)
                    throw CancellationError()
                }
            }
            for await _ in results { Issue.record("Nothing was to be delivered.") }
        }
        tap.yield(1)
        _ = await started.value()
        reader.cancel()
        await reader.value
        #expect(await ended.value() == true)
    }

    @Test func leavingTheLoopCancelsTheAttemptAndTheBase() async {
        let baseEnded = Promise<Void>()
        let (taps, tap) = AsyncStream<Int>.makeStream()
        tap.onTermination = { _ in baseEnded.resolve(()) }
        tap.yield(1)
        for await _ in taps.flatMapFirst({ AuthStream.success($0) }) { break }
        _ = await baseEnded.value()
        #expect(baseEnded.current != nil)
    }

    @Test func aSlowReaderGetsEveryResult() async throws {
        let (taps, tap) = AsyncStream<Int>.makeStream()
        let delivered = Lock(0)
        var results = taps.flatMapFirst { number in
            AuthStream.success(number).onResult { _ in delivered.withLock { $0 += 1 } }
        }.makeAsyncIterator()
        tap.yield(0)
        _ = await results.next()
        var number = 0
        try await wait(for: "five results") {
            number += 1
            tap.yield(number)
            return delivered.withLock { $0 } >= 5
        }
        tap.finish()
        var count = 1
        while await results.next() != nil { count += 1 }
        #expect(count == delivered.withLock { $0 })
    }
}
