import AuthStreams
import Foundation
import Testing

/// The small values that apps log, store and send.
@Suite struct VocabularyTests {
    private func roundTrip<Value: Codable & Equatable>(_ value: Value) throws -> Bool {
        let data = try JSONEncoder().encode([value])
        return try JSONDecoder().decode([Value].self, from: data) == [value]
    }

    @Test func valuesAreStoredByTheirNames() throws {
        #expect(String(decoding: try JSONEncoder().encode([SignOutReason.revoked]), as: UTF8.self) == #"["revoked"]"#)
        #expect(SignOutReason(rawValue: "expired") == .expired)
        #expect(try roundTrip(SignOutReason.deleted))
        #expect(try roundTrip(AuthState.SignInStep.exchanging))
        #expect(try roundTrip(AuthState.Restoring.adopting))
        #expect(try roundTrip(AuthState.Freshness.offline(since: Date(timeIntervalSince1970: 1))))
        #expect(try roundTrip(AuthError.Code.network))
        #expect(try roundTrip(AuthEvent.Kind.signedOut))
        #expect(try roundTrip(AuthOperation.link))
        #expect(try roundTrip(SignInMethod(.kakao, using: .web)))
    }

    @Test func valuesPrintThemselves() {
        let user = AuthUser(id: "user-1", email: "ada@example.com")
        #expect("\(AuthState.signedOut(.revoked))" == "signedOut(revoked)")
        #expect("\(AuthState.signedOut(nil))" == "signedOut")
        #expect("\(AuthState.restoring(.waitingForUnlock))" == "restoring(waitingForUnlock)")
        #expect("\(AuthState.signingIn(.kakao, .presenting))" == "signingIn(kakao, presenting)")
        #expect("\(AuthState.signedIn(user, .cached))" == "signedIn(user-1, cached)")
        let since = Date(timeIntervalSince1970: 0)
        #expect("\(AuthState.Freshness.offline(since: since))" == "offline since 1970-01-01T00:00:00Z")
        #expect("\(AuthError.Code.network), \(AuthEvent.Kind.restored)" == "network, restored")
    }

    @Test func levelSaysHowMuchAttentionAnEventDeserves() {
        let levels: [(AuthEvent, AuthEvent.Level)] = [
            (AuthEvent(.restored), .info), (AuthEvent(.signInFailed, failure: .init(.cancelled)), .info),
            (AuthEvent(.signInFailed, failure: .init(.abandoned)), .warning),
            (AuthEvent(.providerWarning, failure: .init(.appUnavailable)), .warning),
            (AuthEvent(.refreshFailed, failure: .init(.network)), .warning),
            (AuthEvent(.revocationFailed, failure: .init(.server)), .warning),
            (AuthEvent(.signInFailed, failure: .init(.misconfigured)), .error),
            (AuthEvent(.storageFailed, failure: .init(.storage)), .error),
        ]
        for (event, level) in levels { #expect(event.level == level, "\(event)") }
    }

    @Test func clockOfTheLibraryIsAClock() async throws {
        let clock = AuthClock.system
        let stream = AuthStream { 1 }.retry(2, clock: clock).timeout(.seconds(600), clock: clock)
        #expect(try await stream.value == 1)
        #expect(clock.now.duration(to: clock.now.advanced(by: .seconds(1))) > .zero)
    }
}
