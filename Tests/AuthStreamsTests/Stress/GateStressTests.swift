import AuthStreamsTesting
import TestSupport
import Testing

@testable import AuthStreams

/// Callers, sign-ins, sign-outs and an app that comes and goes, at a gate whose person changes their mind. For the thread sanitizer,
/// too.
@Suite(.serialized) struct GateStressTests {
    @Test func callersThatRaceAtAGateAllEnd() async throws {
        for round in 0..<100 {
            let store = MemorySessionStore()
            try await store.write(SessionRecord(GateScene.ada).data(), for: .session)
            let asked = Lock(0)
            let gate = SessionGate(after: .zero) { _ in
                for _ in 0..<(round % 5) { await Task.yield() }
                let number = asked.withLock { count in
                    count += 1
                    return count
                }
                if number % 3 == 0 { throw AuthError(.accessDenied, "Not now.") }
            }
            let activity = AppActivity(round % 2 == 0 ? .active : .background)
            let auth = AuthService(
                repository: ScriptedRepository(), providers: [ScriptedProvider(.kakao, userID: "bob")], store: store,
                callbacks: CallbackRouter(), gate: gate, activity: activity)
            let codes = await withTaskGroup(of: AuthError.Code?.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let task = Task { await outcome(of: AuthStream { try await auth.accessToken() })?.error?.code }
                        pass(number * 50)
                        if number % 4 == 3 { task.cancel() }
                        return await task.value
                    }
                }
                group.addTask {
                    for _ in 0..<5 {
                        activity.move(to: .background)
                        await Task.yield()
                        activity.move(to: .active)
                        await Task.yield()
                    }
                    return nil
                }
                if round % 3 == 0 {
                    group.addTask { await outcome(of: auth.signIn(with: .kakao))?.error?.code }
                }
                if round % 5 == 0 {
                    group.addTask { await outcome(of: AuthStream { try await auth.signOut() })?.error?.code }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let expected: Set<AuthError.Code?> = [nil, .accessDenied, .cancelled, .superseded, .notSignedIn]
            #expect(expected.isSuperset(of: codes), "round \(round): \(codes)")
            #expect(auth.manager.read { $0.gate.callers } == 0, "round \(round)")
            // What is shown agrees with what was decided.
            let (state, isHidden) = auth.manager.read { ($0.authState, $0.isUserHidden) }
            #expect((state == .restoring(.waitingForPerson)) == isHidden, "round \(round)")
        }
    }
}
