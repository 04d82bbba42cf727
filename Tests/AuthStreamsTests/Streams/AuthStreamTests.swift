import AuthStreams
import AuthStreamsTesting
import TestSupport
import Testing

@Suite struct AuthStreamTests {
    @Test func nothingRunsBeforeTheFirstNext() async {
        let runs = Lock(0)
        let stream = AuthStream {
            runs.withLock { $0 += 1 }
            return 7
        }
        var iterator = stream.makeAsyncIterator()
        #expect(runs.withLock { $0 } == 0)
        #expect(await iterator.next() == .success(7))
        #expect(runs.withLock { $0 } == 1)
    }

    @Test func thereIsOneElementThenNil() async {
        var iterator = AuthStream.success("a").makeAsyncIterator()
        #expect(await iterator.next() == .success("a"))
        #expect(await iterator.next() == nil)
        #expect(await iterator.next() == nil)
    }

    @Test func eachIterationIsANewAttempt() async {
        let runs = Lock(0)
        let stream = AuthStream {
            runs.withLock {
                $0 += 1
                return $0
            }
        }
        var elements: [Result<Int, AuthError>] = []
        for await element in stream { elements.append(element) }
        for await element in stream { elements.append(element) }
        #expect(elements == [.success(1), .success(2)])
    }

    @Test func anAuthErrorPassesAsItIs() async {
        let thrown = AuthError(.accessDenied, "No.", provider: .kakao, serverCode: "KOE203")
        #expect(await outcome(of: AuthStream<Int> { throw thrown }) == .failure(thrown))
    }

    @Test func aCancellationErrorBecomesCancelled() async {
        #expect(await outcome(of: AuthStream<Int> { throw CancellationError() })?.error?.code == .cancelled)
    }

    @Test func aForeignErrorBecomesUnexpectedWithAScrubbedCause() async {
        struct Foreign: Error { let token = "s3cret" }
        let error = await outcome(of: AuthStream<Int> { throw Foreign() })?.error
        #expect(error?.code == .unexpected)
        #expect(error?.cause?.domain.contains("Foreign") == true)
        #expect(error?.debugDescription.contains("s3cret") == false)
    }

    @Test func aCancelledTaskGetsCancelledAndStartsNothing() async {
        let runs = Lock(0)
        let element = await inCancelledTask {
            await outcome(of: AuthStream { runs.withLock { $0 += 1 } })
        }
        #expect(element?.error?.code == .cancelled)
        #expect(runs.withLock { $0 } == 0)
    }

    @Test func aResultThatIsThereWinsOverALaterCancel() async {
        let started = Promise<Void>()
        let task = Task {
            await outcome(
                of: AuthStream {
                    started.resolve(())
                    // Ignores the cancellation, like a server that has already made the session.
                    await waitForCancellation()
                    return "established"
                })
        }
        _ = await started.value()
        task.cancel()
        #expect(await task.value == .success("established"))
    }

    @TaskLocal static var marker = "none"

    @MainActor
    @Test func itRunsInTheIteratingTaskOnItsActor() async {
        let seen = await Self.$marker.withValue("here") {
            await outcome(
                of: AuthStream {
                    MainActor.assertIsolated()
                    return (Self.marker, Task.currentPriority)
                }.map { "\($0.0) \($0.1 == Task.currentPriority)" })
        }
        #expect(seen == .success("here true"))
    }

    @MainActor
    @Test func operatorsStayOnTheActorOfTheIteratingTask() async throws {
        let chain = AuthStream.success(1)
            .flatMap { value in
                MainActor.assertIsolated()
                await Task.yield()
                MainActor.assertIsolated()
                return value + 1
            }
            .recover { _ in 0 }
        #expect(try await chain.value == 2)
    }

    @Test func valueThrowsTheErrorOfTheElement() async {
        do throws(AuthError) {
            _ = try await AuthStream<Int>.failure(AuthError(.network, "Offline.")).value
            Issue.record("It should have thrown.")
        } catch {
            #expect(error.code == .network)
        }
    }

    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func nextDrivenByHandDeliversTheSame() async {
        var iterator = AuthStream.success(1).map { $0 + 1 }.makeAsyncIterator()
        #expect(await iterator.next(isolation: nil) == .success(2))
        #expect(await iterator.next(isolation: nil) == nil)
    }
}
