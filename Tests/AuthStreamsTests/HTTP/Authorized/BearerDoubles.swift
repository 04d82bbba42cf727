import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// Tokens `t1`, `t2`, … of the person who is signed in, without a server.
final class ScriptedBearers: BearerSource {
    struct State {
        var session = 1
        var isSignedIn = true
        var number = 1
        var refreshes = 0
        var failure: AuthError?
        var events: [AuthEvent] = []
        var present: Bearer { Bearer(token: Secret("t\(number)"), session: SessionID(rawValue: "\(session)")) }
    }
    let state = Lock(State())
    let time: ManualClock
    let clock: AuthClock

    init() {
        time = ManualClock()
        clock = time.authClock(startingAt: Date(timeIntervalSince1970: 0))
    }

    var refreshes: Int { state.withLock { $0.refreshes } }
    var events: [AuthEvent.Kind] { state.withLock { $0.events.map(\.kind) } }

    /// Another user signs in, or the same person again.
    func changePerson() {
        state.withLock { state in
            state.session += 1
            state.number += 100
        }
    }

    /// The session is refreshed for another reason than a refused request.
    func refresh() { state.withLock { $0.number += 1 } }

    func bearer() async throws(AuthError) -> Bearer {
        guard let bearer = state.withLock({ $0.isSignedIn ? $0.present : nil }) else {
            throw AuthError(.userNotFound, "No user is signed in.")
        }
        return bearer
    }

    func bearer(replacing refused: Bearer) async throws(AuthError) -> Bearer? {
        let result: Result<Bearer?, AuthError> = state.withLock { state in
            if let failure = state.failure { return .failure(failure) }
            guard state.isSignedIn, refused.session == state.present.session else { return .success(nil) }
            if refused == state.present {
                state.refreshes += 1
                state.number += 1
            }
            return .success(state.present)
        }
        return try result.get()
    }

    func publish(_ event: AuthEvent) { state.withLock { $0.events.append(event) } }
}

/// A server that knows which tokens it takes, and writes down which it was sent.
final class TokenGuard: AuthHTTPTransport {
    private let answer: @Sendable (AuthHTTPRequest) async throws -> AuthHTTPResponse
    private let log = Lock<[AuthHTTPRequest]>([])

    init(_ answer: @escaping @Sendable (AuthHTTPRequest) async throws -> AuthHTTPResponse) { self.answer = answer }

    /// Answers 200 to those tokens, and 401 to any other.
    convenience init(taking tokens: String...) {
        self.init { request in
            let isGood = tokens.contains { request.headers[.authorization] == "Bearer \($0)" }
            return AuthHTTPResponse(status: isGood ? 200 : 401)
        }
    }

    var requests: [AuthHTTPRequest] { log.withLock { $0 } }
    var tokens: [String?] { requests.map { $0.headers[.authorization] } }

    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        log.withLock { $0.append(request) }
        return try await AuthError.wrapping { try await answer(request) }
    }
}
