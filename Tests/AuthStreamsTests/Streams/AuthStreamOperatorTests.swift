import AuthStreams
import AuthStreamsTesting
import TestSupport
import Testing

@Suite struct AuthStreamOperatorTests {
    let offline = AuthError(.network, "Offline.")

    @Test func mapChangesASuccessAndLeavesAFailure() async {
        #expect(await outcome(of: AuthStream.success(2).map { $0 * 2 }) == .success(4))
        #expect(await outcome(of: AuthStream<Int>.failure(offline).map { $0 * 2 }) == .failure(offline))
    }

    @Test func flatMapTakesAStreamAsTheNextStep() async {
        let twice = { @Sendable (value: Int) in AuthStream.success(value * 2) }
        let chained: AuthStream<Int> = AuthStream.success(2).flatMap(twice)
        #expect(await outcome(of: chained) == .success(4))
    }

    @Test func flatMapTakesAThrowingFunctionAsTheNextStep() async {
        let failing: AuthStream<Int> = AuthStream.success(2).flatMap { _ in throw CancellationError() }
        #expect(await outcome(of: failing)?.error?.code == .cancelled)
    }

    @Test func flatMapDoesNotRunItsStepAfterAFailure() async {
        let runs = Lock(0)
        let chain: AuthStream<Void> = AuthStream<Int>.failure(offline).flatMap { _ async throws in
            runs.withLock { $0 += 1 }
        }
        #expect(await outcome(of: chain)?.error == offline)
        #expect(runs.withLock { $0 } == 0)
    }

    @Test func flatMapRunsItsStepForAValueThatIsThereWhenTheCancelComes() async {
        let started = Promise<Void>()
        let task = Task {
            await outcome(
                of: AuthStream {
                    started.resolve(())
                    await waitForCancellation()
                    return "code"
                }.flatMap { AuthStream.success("session of \($0)") })
        }
        _ = await started.value()
        task.cancel()
        #expect(await task.value == .success("session of code"))
    }

    @Test func mapErrorChangesAFailure() async {
        let changed = AuthStream<Int>.failure(offline).mapError { _ in AuthError(.server, "Down.") }
        #expect(await outcome(of: changed)?.error?.code == .server)
    }

    @Test func recoverReplacesAFailureAndLeavesASuccess() async {
        #expect(await outcome(of: AuthStream<Int>.failure(offline).recover { _ in 1 }) == .success(1))
        #expect(await outcome(of: AuthStream.success(2).recover { _ in 1 }) == .success(2))
    }

    @Test func recoverIsNotAskedAfterACancellation() async {
        let asked = Lock(false)
        let started = Promise<Void>()
        let stream = AuthStream<Int> {
            started.resolve(())
            await waitForCancellation()
            throw AuthError(.network, "The connection was cut.")
        }.recover { _ in
            asked.withLock { $0 = true }
            return 1
        }
        let task = Task { await outcome(of: stream) }
        _ = await started.value()
        task.cancel()
        #expect(await task.value?.error?.code == .network)
        #expect(!asked.withLock { $0 })
    }

    @Test func onResultSeesTheOutcomeAndChangesNothing() async {
        let seen = Lock<[Result<Int, AuthError>]>([])
        let stream = AuthStream.success(1).onResult { outcome in seen.withLock { $0.append(outcome) } }
        #expect(await outcome(of: stream) == .success(1))
        #expect(seen.withLock { $0 } == [.success(1)])
    }

    // MARK: Time

    @Test func timeoutEndsAnAttemptThatTakesTooLong() async {
        let clock = ManualClock()
        let stream = AuthStream<Int> {
            await waitForCancellation()
            throw AuthError(.cancelled, "Scripted.", provider: .kakao, step: .exchanging)
        }.timeout(.seconds(5), clock: clock)
        let task = Task { await outcome(of: stream) }
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(5))
        let error = await task.value?.error
        #expect(error?.code == .timedOut && error?.provider == .kakao && error?.step == .exchanging)
    }

    @Test func timeoutPassesAResultThatIsInTime() async {
        let clock = ManualClock()
        #expect(await outcome(of: AuthStream.success(1).timeout(.seconds(5), clock: clock)) == .success(1))
        #expect(
            await outcome(of: AuthStream<Int>.failure(offline).timeout(.seconds(5), clock: clock))?.error == offline)
        #expect(clock.sleeperCount == 0)
    }

    @Test func timeoutReportsASuccessThatWasCommittedAllTheSame() async {
        let clock = ManualClock()
        let stream = AuthStream {
            await waitForCancellation()
            return "committed"
        }.timeout(.seconds(5), clock: clock)
        let task = Task { await outcome(of: stream) }
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(5))
        #expect(await task.value == .success("committed"))
    }

    @Test func timeoutEndsWithCancelledWhenTheTaskIsCancelled() async {
        let clock = ManualClock()
        let stream = AuthStream<Int> { try await Promise<Int>().value() ?? { throw CancellationError() }() }
            .timeout(.seconds(5), clock: clock)
        let task = Task { await outcome(of: stream) }
        await clock.waitForSleepers(count: 1)
        task.cancel()
        #expect(await task.value?.error?.code == .cancelled)
        #expect(clock.sleeperCount == 0)
    }

    @Test func retryStartsOverAfterErrorsThatMayPass() async {
        let clock = ManualClock()
        let runs = Lock(0)
        let stream = AuthStream<Int> {
            let run = runs.withLock {
                $0 += 1
                return $0
            }
            guard run == 3 else { throw AuthError(.server, "Down.") }
            return run
        }.retry(5, clock: clock)
        let task = Task { await outcome(of: stream) }
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(1))
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(2))
        #expect(await task.value == .success(3))
    }

    @Test func retryWaitsTwiceAsLongEachTimeUpToAMinute() async {
        let clock = ManualClock()
        let task = Task { [offline] in await outcome(of: AuthStream<Int>.failure(offline).retry(8, clock: clock)) }
        for pause in [1, 2, 4, 8, 16, 32, 60, 60] {
            await clock.waitForSleepers(count: 1)
            clock.advance(by: .seconds(pause) - .nanoseconds(1))
            #expect(clock.sleeperCount == 1)
            clock.advance(by: .nanoseconds(1))
        }
        #expect(await task.value?.error == offline)
    }

    @Test func retryGivesUpAfterItsAttemptsWithTheLastError() async {
        let clock = ManualClock()
        let runs = Lock(0)
        let stream = AuthStream<Int> {
            throw AuthError(
                .server, "Down.",
                serverCode: runs.withLock {
                    $0 += 1
                    return "\($0)"
                })
        }.retry(1, clock: clock)
        let task = Task { await outcome(of: stream) }
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(1))
        #expect(await task.value?.error?.serverCode == "2")
    }

    /// A wait that no clock could represent is a day.
    @Test(arguments: [(Duration.seconds(30), 30), (.seconds(Int64.max), 86_400)])
    func retryWaitsAsLongAsTheServerAsked(wait: Duration, seconds: Int) async {
        let clock = ManualClock()
        let runs = Lock(0)
        let stream = AuthStream<Int> {
            guard
                runs.withLock({
                    $0 += 1
                    return $0
                }) > 1
            else {
                throw AuthError(.rateLimited, "Slow down.", retryAfter: wait)
            }
            return 1
        }.retry(1, clock: clock)
        let task = Task { await outcome(of: stream) }
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(seconds - 1))
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .seconds(1))
        #expect(await task.value == .success(1))
    }

    @Test func retryDoesNotRepeatADefiniteNo() async {
        let runs = Lock(0)
        let stream = AuthStream<Int> {
            runs.withLock { $0 += 1 }
            throw AuthError(.invalidCredential, "No.")
        }.retry(5, clock: ManualClock())
        #expect(await outcome(of: stream)?.error?.code == .invalidCredential)
        #expect(runs.withLock { $0 } == 1)
    }

    @Test func retryEndsWithCancelledWhenCancelledWhileWaiting() async {
        let clock = ManualClock()
        let task = Task { [offline] in await outcome(of: AuthStream<Int>.failure(offline).retry(5, clock: clock)) }
        await clock.waitForSleepers(count: 1)
        task.cancel()
        #expect(await task.value?.error?.code == .cancelled)
    }
}
