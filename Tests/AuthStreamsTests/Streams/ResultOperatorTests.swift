import AuthStreams
import Testing

/// Counts its instances' reads, so that tests see when a base is asked.
private struct Listed<Element: Sendable>: AsyncSequence, Sendable {
    let elements: [Element]
    let asked = Lock(0)

    init(_ elements: Element...) { self.elements = elements }

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<Element>
        let asked: Lock<Int>

        mutating func next() async -> Element? {
            asked.withLock { $0 += 1 }
            return rest.popFirst()
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: elements[...], asked: asked) }
}

private enum Trouble: Error { case small, big }
private let denied = AuthError(.accessDenied, "No.")

extension AsyncSequence {
    fileprivate func all() async rethrows -> [Element] {
        var all: [Element] = []
        for try await element in self { all.append(element) }
        return all
    }
}

@Suite struct ResultOperatorTests {
    private let mixed = Listed<Result<Int, Trouble>>(.success(1), .failure(.small), .success(2))
    private let attempts = Listed<Result<Int, AuthError>>(.success(1), .failure(denied), .success(2))

    @Test func mapSuccessChangesSuccessesAndPassesFailures() async {
        #expect(await mixed.mapSuccess { $0 * 10 }.all() == [.success(10), .failure(.small), .success(20)])
    }

    @Test func whatMapSuccessThrowsIsTheFailure() async {
        let results = await attempts.mapSuccess { if $0 == 1 { throw Trouble.big } else { "\($0)" } }.all()
        #expect(results.map(\.error?.code) == [.unexpected, .accessDenied, nil])
        #expect(results.last == .success("2"))
    }

    @Test func mapFailureChangesFailuresAndTheirType() async {
        let results: [Result<Int, AuthError>] = await mixed.mapFailure { _ in denied }.all()
        #expect(results == [.success(1), .failure(denied), .success(2)])
    }

    @Test func flatMapSuccessTakesTheNextStepOfEachSuccessInOrder() async {
        let steps = Lock<[Int]>([])
        let results = await mixed.flatMapSuccess { value async -> Result<String, Trouble> in
            steps.withLock { $0.append(value) }
            await Task.yield()
            return value == 1 ? .success("one") : .failure(.big)
        }.all()
        #expect(results == [.success("one"), .failure(.small), .failure(.big)])
        #expect(steps.withLock { $0 } == [1, 2])
    }

    @Test func flatMapSuccessAsksForTheNextElementWhenTheStepHasReturned() async {
        let asked = mixed.asked
        let seen = await mixed.flatMapSuccess { _ async -> Result<Int, Trouble> in
            await Task.yield()
            return .success(asked.withLock { $0 })
        }.all()
        #expect(seen == [.success(1), .failure(.small), .success(3)])
    }

    @Test func aStepThatThrowsIsAFailure() async {
        let results = await attempts.flatMapSuccess { value async throws -> Int in
            if value == 1 { throw CancellationError() }
            return value
        }.all()
        #expect(results.map(\.error?.code) == [.cancelled, .accessDenied, nil])
    }

    @Test func anAttemptCanBeTheNextStep() async {
        let results: [Result<String, AuthError>] = await attempts.flatMapSuccess { AuthStream.success("\($0)") }.all()
        #expect(results == [.success("1"), .failure(denied), .success("2")])
    }

    @Test func aStepThatReturnsAResultIsNotWrappedInAnother() async {
        @Sendable func step(_ value: Int) async -> Result<String, AuthError> { .success("\(value)") }
        let results = await attempts.flatMapSuccess { await step($0) }.all()
        #expect(type(of: results) == [Result<String, AuthError>].self)
        let others = await attempts.flatMapSuccess { AuthStream.success("\($0)") }.all()
        #expect(type(of: others) == [Result<String, AuthError>].self)
    }

    @Test func recoverAnswersFailuresAndPassesSuccesses() async {
        let rescued = await mixed.recover { $0 == .small ? .success(0) : .failure($0) }.all()
        #expect(rescued == [.success(1), .success(0), .success(2)])
        let results = await attempts.recover { error async throws -> Int in throw error }.all()
        #expect(results == [.success(1), .failure(denied), .success(2)])
    }

    @Test func recoverIsNotAskedInACancelledTask() async {
        let results = await inCancelledTask { [attempts] in
            await attempts.recover { _ async throws -> Int in
                Issue.record("The closure must not be called.")
                return 0
            }.all()
        }
        #expect(results == [.success(1), .failure(denied), .success(2)])
    }

    @Test func successesLeaveFailuresOut() async {
        #expect(await mixed.successes.all() == [1, 2])
    }

    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func valuesThrowTheFirstFailureByItsTypeAndEnd() async {
        var values = mixed.values.makeAsyncIterator()
        do throws(Trouble) {
            #expect(try await values.next(isolation: nil) == 1)
            _ = try await values.next(isolation: nil)
            Issue.record("The failure was to be thrown.")
        } catch {
            #expect(error == .small)
        }
        #expect(await (try? values.next(isolation: nil)) == nil)
        #expect(mixed.asked.withLock { $0 } == 2)
    }

    @Test func valuesOfABaseThatThrowsThrowBoth() async {
        let base = AsyncThrowingStream<Result<Int, Trouble>, any Error> { base in
            base.yield(.success(1))
            base.finish(throwing: denied)
        }
        var seen: [Int] = []
        await #expect(throws: denied) { for try await value in base.values { seen.append(value) } }
        #expect(seen == [1])
        let failing = AsyncThrowingStream<Result<Int, Trouble>, any Error> { $0.yield(.failure(.big)) }
        await #expect(throws: Trouble.big) { for try await _ in failing.values {} }
    }

    @Test func whatTheBaseThrowsPasses() async {
        func base() -> AsyncThrowingStream<Result<Int, AuthError>, any Error> { .init { $0.finish(throwing: denied) } }
        await #expect(throws: denied) { for try await _ in base().mapSuccess({ $0 }) {} }
        await #expect(throws: denied) { for try await _ in base().flatMapSuccess({ AuthStream.success($0) }) {} }
        await #expect(throws: denied) { for try await _ in base().successes {} }
    }

    /// Older Apple systems call `next()`, for which no actor is passed.
    @Test func everyOperatorCanBeDrivenWithoutAnActor() async throws {
        var mapped = mixed.mapSuccess { $0 + 1 }.makeAsyncIterator()
        #expect(await mapped.next() == .success(2))
        var stepped = mixed.flatMapSuccess { .success($0 + 1) }.makeAsyncIterator()
        #expect(await stepped.next() == .success(2))
        var successes = mixed.successes.makeAsyncIterator()
        #expect(await successes.next() == 1)
        let untyped: ValuesSequence<Listed<Result<Int, Trouble>>> = mixed.values
        var values = untyped.makeAsyncIterator()
        #expect(try await values.next() == 1)
        do { _ = try await values.next() } catch { #expect(error as? Trouble == .small) }
        #expect(try await values.next() == nil)
    }

    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @MainActor @Test func closuresRunOnTheReadersActor() async {
        var count = 0
        for await _ in attempts.flatMapSuccess({ value async throws -> Int in
            MainActor.assertIsolated()
            return value
        }) { count += 1 }
        #expect(count == 3)
        for await _ in attempts.mapSuccess({ _ in MainActor.assertIsolated() }) {}
        for await _ in attempts.recover({ _ async throws in
            MainActor.preconditionIsolated()
            return 0
        }) {}
    }

    @Test func operatorsOnAnAttemptKeepItsOwn() async {
        let attempt: AuthStream<Int> = AuthStream.failure(denied).recover { _ in 1 }.map { $0 + 1 }
        #expect(await attempt.result == .success(2))
        #expect(await attempt.mapSuccess { $0 + 1 }.successes.all() == [3])
    }
}
