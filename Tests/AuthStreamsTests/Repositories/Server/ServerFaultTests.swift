import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

/// Trouble on the way, which is neither the server's word nor the person's.
@Suite struct ServerFaultTests {
    private struct FailingTransport: AuthHTTPTransport {
        let code: AuthError.Code

        func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
            throw AuthError(code, "Trouble.")
        }
    }

    /// Never answers; ends with its task.
    private struct SilentTransport: AuthHTTPTransport {
        let asked = Promise<Void>()

        func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
            asked.resolve(())
            _ = await Promise<Void>().value()
            throw .cancelled
        }
    }

    @Test(arguments: ServerOperation.allCases, [AuthError.Code.network, .timedOut, .cancelled, .invalidResponse])
    func whatTheTransportThrowsIsKept(operation: ServerOperation, code: AuthError.Code) async throws {
        let repository = ServerFixture.repository(FailingTransport(code: code))
        let error = try await serverFailure { () throws(AuthError) in try await operation.run(repository) }
        #expect(error.code == code)
        // Who adopts knows no provider until the server has named it.
        #expect((error.provider == nil) == (operation == .adopt))
    }

    @Test(arguments: ServerOperation.allCases)
    func cancellingTheTaskEndsTheRequest(operation: ServerOperation) async throws {
        let transport = SilentTransport()
        let repository = ServerFixture.repository(transport)
        let attempt = Task {
            try await serverFailure { () throws(AuthError) in try await operation.run(repository) }
        }
        await transport.asked.value()
        attempt.cancel()
        #expect(try await attempt.value.code == .cancelled)
    }

    @Test(arguments: [AuthError.Code.userNotFound, .userDisabled, .sessionExpired, .cancelled, .superseded])
    func theHeaderClosureCannotSayWhatOnlyTheServerMay(code: AuthError.Code) async throws {
        let transport = AnsweringTransport([])
        let repository = ServerFixture.repository(transport, headers: { throw AuthError(code, "Says who?") })
        let error = await #expect(throws: AuthError.self) { try await repository.adopt(refreshToken: Secret("old")) }
        #expect(error?.code == .unexpected)
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: ServerOperation.allCases)
    func aHeaderClosureThatNeverReturnsEndsAtTheLimit(operation: ServerOperation) async throws {
        let (clock, never) = (ManualClock(), Promise<Void>())
        let transport = AnsweringTransport([])
        let repository = ServerFixture.repository(
            transport,
            headers: {
                // Also if its task is cancelled.
                await Task { _ = await never.value() }.value
                return [:]
            }, clock: clock.authClock(startingAt: ServerFixture.now))
        let attempt = Task {
            try await serverFailure { () throws(AuthError) in try await operation.run(repository) }
        }
        await clock.waitForSleepers(count: 1)
        #expect(clock.advanceToNextSleeper() == .seconds(15))
        #expect(try await attempt.value.code == .timedOut)
        #expect(transport.requests.isEmpty)
        never.resolve(())
    }

    /// The closure hangs until its task ends, and no request comes after that.
    @Test(arguments: ServerOperation.allCases)
    func aHeaderClosureThatHangsEndsWithItsTask(operation: ServerOperation) async throws {
        let asked = Promise<Void>()
        let repository = ServerFixture.repository(
            AnsweringTransport([]),
            headers: {
                asked.resolve(())
                _ = await Promise<Void>().value()
                throw CancellationError()
            })
        let attempt = Task {
            try await serverFailure { () throws(AuthError) in try await operation.run(repository) }
        }
        await asked.value()
        attempt.cancel()
        #expect(try await attempt.value.code == .cancelled)
    }
}
