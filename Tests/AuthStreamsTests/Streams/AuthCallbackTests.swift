import AuthStreams
import AuthStreamsTesting
import Testing

@Suite struct AuthCallbackTests {
    @Test func theAnswerIsTheElement() async {
        #expect(await outcome(of: AuthStream<Int>.callback { $0.succeed(1) }) == .success(1))
        let failing = AuthStream<Int>.callback { $0.fail(AuthError(.accessDenied, "No.")) }
        #expect(await outcome(of: failing)?.error?.code == .accessDenied)
    }

    @Test func aLaterCallIsIgnoredAndCounted() async {
        let callback = Promise<AuthCallback<Int>>()
        let stream = AuthStream<Int>.callback {
            callback.resolve($0)
            $0.succeed(1)
            $0.succeed(2)
            $0.fail(CancellationError())
        }
        #expect(await outcome(of: stream) == .success(1))
        #expect(callback.current?.ignoredCalls == 2)
    }

    @Test func aCallbackDroppedUncalledEndsTheStreamWithAbandoned() async {
        #expect(await outcome(of: AuthStream<Int>.callback { _ in })?.error?.code == .abandoned)
    }

    @Test func aThrowingStartEndsTheStream() async {
        let stream = AuthStream<Int>.callback { _ in throw AuthError(.misconfigured, "No key.") }
        #expect(await outcome(of: stream)?.error?.code == .misconfigured)
    }

    @Test func aCancelledTaskEndsAtOnceAndTheOtherSideIsTold() async {
        let held = Promise<AuthCallback<Int>>()
        let cancels = Lock(0)
        let task = Task {
            await outcome(
                of: AuthStream<Int>.callback { callback in
                    callback.onCancel { cancels.withLock { $0 += 1 } }
                    held.resolve(callback)
                })
        }
        let callback = await held.value()
        task.cancel()
        #expect(await task.value?.error?.code == .cancelled)
        #expect(cancels.withLock { $0 } == 1)
        callback?.succeed(1)
        #expect(callback?.ignoredCalls == 1)
        callback?.onCancel { cancels.withLock { $0 += 1 } }
        #expect(cancels.withLock { $0 } == 2, "A handler that comes after the cancel runs at once.")
    }

    @Test func anAnswerRunsNoCancelHandler() async {
        let cancels = Lock(0)
        let stream = AuthStream<Int>.callback { callback in
            callback.onCancel { cancels.withLock { $0 += 1 } }
            callback.succeed(1)
            callback.onCancel { cancels.withLock { $0 += 1 } }
        }
        #expect(await outcome(of: stream) == .success(1))
        #expect(cancels.withLock { $0 } == 0)
    }

    @Test func theTimeLimitEndsAnAttemptThatIsNeverAnswered() async {
        let clock = ManualClock()
        let held = Promise<AuthCallback<Int>>()
        let stream = AuthStream<Int>.callback(timeLimit: .seconds(60), clock: clock) { held.resolve($0) }
        let task = Task { await outcome(of: stream) }
        _ = await held.value()
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(60))
        #expect(await task.value?.error?.code == .timedOut)
    }

    private final class Delegate: Sendable {
        let onDeinit: @Sendable () -> Void
        init(onDeinit: @escaping @Sendable () -> Void) { self.onDeinit = onDeinit }
        deinit { onDeinit() }
    }

    @Test func theAttemptKeepsADelegateAliveUntilItResolves() async {
        let gone = Promise<Void>()
        let held = Promise<AuthCallback<Int>>()
        let task = Task {
            await outcome(
                of: AuthStream<Int>.callback { callback in
                    callback.keepAlive(Delegate { gone.resolve(()) })
                    held.resolve(callback)
                })
        }
        let callback = await held.value()
        #expect(gone.current == nil)
        callback?.succeed(1)
        #expect(gone.current != nil)
        #expect(await task.value == .success(1))
    }

    @Test func nothingIsHeldForAnAttemptThatIsOver() async {
        let live = Lock(0)
        let held = Promise<AuthCallback<Int>>()
        let stream = AuthStream<Int>.callback { callback in
            held.resolve(callback)
            callback.onCancel { [witness = Witness(live)] in withExtendedLifetime(witness) {} }
            callback.succeed(1)
            callback.keepAlive(Witness(live))
            callback.onCancel { [witness = Witness(live)] in withExtendedLifetime(witness) {} }
        }
        #expect(await outcome(of: stream) == .success(1))
        #expect(held.current != nil, "The other side still has its callback.")
        #expect(live.withLock { $0 } == 0)
    }

    @MainActor
    @Test func aMainActorCallbackStartsOnTheMainActor() async {
        let stream = AuthStream<Int>.mainActorCallback { callback in
            MainActor.assertIsolated()
            callback.succeed(1)
        }
        let element = await Task.detached { await outcome(of: stream) }.value
        #expect(element == .success(1))
    }
}
