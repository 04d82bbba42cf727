import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// Each refresh that is sent has one end in the events, however it ends.
@Suite struct RefreshEventTests {
    private static let noon = Date(timeIntervalSince1970: 1_800_000_000)
    private static let moment = Timestamp(date: noon, uptime: .zero)
    private static let failure = AuthError(.network, "Scripted.")

    private static func session(_ number: Int, of user: String = "ada") -> AuthSession {
        AuthSession(
            accessToken: Secret("a\(number)"), refreshToken: Secret("r\(number)"), expiresAt: nil,
            user: AuthUser(id: user), provider: .kakao)
    }

    enum End: CaseIterable {
        case stored, storedBeforeASignOut, withheld, failed, refused
        case signedOut, otherUserSignedIn, endedElsewhere, newerTokensElsewhere, refusedWithNewerTokensElsewhere

        var kind: AuthEvent.Kind {
            switch self {
            case .stored, .storedBeforeASignOut: .refreshSucceeded
            case .refused: .refreshRefused
            case .withheld, .failed, .signedOut, .otherUserSignedIn, .endedElsewhere, .newerTokensElsewhere,
                .refusedWithNewerTokensElsewhere:
                .refreshFailed
            }
        }

        /// Whether the refresh is retried.
        var isRetried: Bool { self == .failed || self == .withheld }
    }

    @Test(arguments: End.allCases) func refreshThatIsSentHasOneEnd(end: End) throws {
        var machine = SessionStateMachine()
        let signIn = machine.began(.kakao)
        _ = machine.established(Self.session(1), by: signIn, at: Self.moment)
        let begun = machine.refreshBegan()
        let refresh = try #require(begun)
        let request = try #require(machine.request(for: refresh))
        let maySend = machine.requestBegan(request)
        #expect(maySend)
        _ = machine.takeEffects()
        perform(end, of: refresh, request, on: &machine)
        let ends = machine.takeEvents().filter {
            [.refreshSucceeded, .refreshFailed, .refreshRefused].contains($0.kind)
        }
        #expect(ends.map(\.kind) == [end.kind])
        #expect((ends.first?.details != nil) == end.isRetried)
    }

    /// The device's clock is an hour ahead of the server's, and is set right later.
    @Test func differenceOfTheClocksIsReportedOnceItChanges() async throws {
        let ahead = Lock(3600.0)
        let issued = { @Sendable (session: AuthSession) in
            var session = session
            session.issuedAt = Self.noon.addingTimeInterval(-ahead.withLock { $0 })
            return session
        }
        var account = ScriptedAccount()
        account.refresh = { issued($0) }
        let auth = AuthService(
            repository: ScriptedRepository(establish: { issued(ScriptedRepository.session(of: $0)) }, account: account),
            providers: [], store: MemorySessionStore(), callbacks: CallbackRouter(),
            clock: ManualClock().authClock(startingAt: Self.noon))
        var events = auth.events.makeAsyncIterator()
        _ = try await auth.signIn(credential: Credential(provider: .kakao, userID: "1")).value
        for difference in [3600.0, 3600, 1, 0, -1] {
            ahead.withLock { $0 = difference }
            _ = try await auth.accessToken(forceRefresh: true)
        }
        try await auth.signOut()
        var reports: [AuthEvent.Details?] = []
        while let event = await events.next(), event.kind != .signedOut {
            if event.kind == .clockSkewLearned { reports.append(event.details) }
        }
        #expect(reports == [.clockSkew(.seconds(-3600)), .clockSkew(.seconds(-1))])
    }

    private func perform(
        _ end: End, of refresh: RefreshOperation, _ request: RefreshRequest, on machine: inout SessionStateMachine
    ) {
        let error = Self.failure
        switch end {
        case .stored, .storedBeforeASignOut, .withheld:
            let failure = end == .withheld ? AuthError(.storage, "Scripted.") : nil
            let counts = machine.answerArrived(Self.session(2), to: request, at: Self.moment)
            #expect(counts)
            machine.write(failing: failure)
            let settled = machine.answerSettled(Self.session(2), to: request, failure, at: Self.moment)
            #expect(settled == (failure.map { .failure($0) } ?? .success(Self.session(2))))
            if end == .storedBeforeASignOut { _ = machine.signOut() }
            machine.refreshEnded(refresh, failure.map { .failure($0) } ?? .success(Secret("a2")), at: Self.moment)
        case .failed: machine.refreshEnded(refresh, .failure(error), at: Self.moment)
        case .refused:
            _ = machine.refreshRejected(request, .revoked, because: error, at: .zero)
            machine.refreshEnded(refresh, .failure(error), at: Self.moment)
        case .signedOut:
            _ = machine.signOut()
            machine.refreshEnded(refresh, .failure(.superseded), at: Self.moment)
        case .otherUserSignedIn:
            let other = machine.began(.naver)
            _ = machine.established(Self.session(9, of: "bob"), by: other, at: Self.moment)
            machine.refreshEnded(refresh, .failure(.superseded), at: Self.moment)
        case .endedElsewhere:
            machine.observed(nil, ending: ["ada"], at: Self.moment)
            machine.refreshEnded(refresh, .failure(.superseded), at: Self.moment)
        case .newerTokensElsewhere, .refusedWithNewerTokensElsewhere:
            machine.observed(KeptSession(Self.session(2), revision: 1), at: Self.moment)
            if end == .refusedWithNewerTokensElsewhere {
                let counts = machine.refreshRejected(request, .revoked, because: error, at: .zero)
                #expect(!counts)
            }
            machine.refreshEnded(refresh, .failure(error), at: Self.moment)
            #expect(machine.session == Self.session(2))
        }
    }
}
