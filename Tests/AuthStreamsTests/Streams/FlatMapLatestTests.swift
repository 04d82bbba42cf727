import AuthStreamsTesting
import Testing

@testable import AuthStreams

/// What the timelines cannot draw: real threads, copies of an iterator, task-locals, and types.
@Suite struct FlatMapLatestTests {
    @TaskLocal private static var screen = "none"

    /// An attempt that ends when its gate opens: it ignores its cancellation.
    private struct Stubborn: Sendable {
        let gate = Promise<String>()
        let started = Promise<Void>()
        let ended = Promise<Bool>()

        var attempt: AuthStream<String> {
            AuthStream {
                started.resolve(())
                let waiting = Task { await gate.value() }
                let value = await waiting.value
                ended.resolve(Task.isCancelled)
                return value ?? "nothing"
            }
        }
    }

    @Test func aSequenceThatIgnoresItsCancellationHoldsUpNothingAndIsNotHeard() async {
        let (old, new) = (Stubborn(), Stubborn())
        let (choices, choice) = AsyncStream<Stubborn>.makeStream()
        let reader = Task {
            var seen: [Result<String, AuthError>] = []
            for await result in choices.flatMapLatest(\.attempt) { seen.append(result) }
            return seen
        }
        choice.yield(old)
        _ = await old.started.value()
        choice.yield(new)
        _ = await new.started.value()
        old.gate.resolve("old")
        #expect(await old.ended.value() == true, "It was to be cancelled.")
        new.gate.resolve("new")
        choice.finish()
        #expect(await reader.value == [.success("new")])
    }

    @Test func theOneBeforeIsCancelledWhenTheNextIsMade() async {
        let (choices, choice) = AsyncStream<Int>.makeStream()
        let (started, isCancelled) = (Promise<Void>(), Lock(false))
        let reader = Task {
            let results = choices.flatMapLatest { number in
                #expect(isCancelled.withLock { $0 } == (number == 2))
                return AuthStream<Int> {
                    guard number == 1 else { return number }
                    await withTaskCancellationHandler {
                        started.resolve(())
                        _ = await Promise<Void>().value()
                    } onCancel: {
                        isCancelled.withLock { $0 = true }
                    }
                    throw CancellationError()
                }
            }
            var seen: [Result<Int, AuthError>] = []
            for await result in results { seen.append(result) }
            return seen
        }
        choice.yield(1)
        _ = await started.value()
        choice.yield(2)
        choice.finish()
        #expect(await reader.value == [.success(2)])
    }

    @Test func eachIteratorHasARunOfItsOwnThatBeginsWhenItIsRead() async {
        let begun = Lock(0)
        let results = AuthStream<Int> {
            begun.withLock {
                $0 += 1
                return $0
            }
        }.flatMapLatest { result in AuthStream { try result.get() } }
        var (first, second) = (results.makeAsyncIterator(), results.makeAsyncIterator())
        #expect(begun.withLock { $0 } == 0)
        #expect(await first.next() == .success(1))
        #expect(await second.next() == .success(2))
    }

    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func copiesThatWaitAtOnceAreServedInOrder() {
        let executor = ManualExecutor()
        let served = Lock<[String]>([])
        let (numbers, number) = AsyncStream<Int>.makeStream()
        let starter: @Sendable (@escaping TaskSpawner.Body) -> Task<Void, Never> = { body in
            Task(executorPreference: executor) { await body() }
        }
        TaskSpawner.withStarter(starter) {
            // No type allows it, and it must do no harm all the same.
            nonisolated(unsafe) let iterator = AuthStream.success(numbers).successes.switchToLatest()
                .makeAsyncIterator()
            for name in ["a", "b"] {
                Task(executorPreference: executor) {
                    var copy = iterator
                    let element = await copy.next()
                    served.withLock { $0.append("\(name) \(element ?? 0)") }
                }
            }
            executor.run()
        }
        number.yield(1)
        number.yield(2)
        executor.run()
        #expect(served.withLock { $0 } == ["a 1", "b 2"])
    }

    @Test func theTasksHaveTheReadersTaskLocals() async {
        let seen = await Self.$screen.withValue("login") {
            var results = AsyncStream<Int> { $0.yield(1) }.flatMapLatest { _ in
                let outer = Self.screen
                return AuthStream<[String]> { [outer, Self.screen] }
            }.makeAsyncIterator()
            return await results.next()
        }
        #expect(seen == .success(["login", "login"]))
    }

    @Test func onlyWhatCanThrowAsksForATry() async throws {
        let numbers = AsyncStream<Int> { base in
            base.yield(1)
            base.finish()
        }
        // Before iOS 18 and macOS 15 a sequence of any base is of this type.
        let older: FlatMapLatestSequence<AsyncStream<Int>, AuthStream<Int>> = numbers.flatMapLatest { .success($0) }
        for await result in older { #expect(result == .success(1)) }
    }
}
