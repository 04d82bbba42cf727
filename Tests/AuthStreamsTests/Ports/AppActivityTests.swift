import Testing

@testable import AuthStreams

@Suite struct AppActivityTests {
    @Test func servicesHaveTakenNoteWhenTheMoveReturns() {
        let activity = AppActivity()
        let seen = Lock<[AppActivity.Phase]>([])
        activity.observe { [unowned activity] in
            seen.withLock { $0.append(activity.phase) }
            return true
        }
        for phase in [AppActivity.Phase.inactive, .active, .active, .background] { activity.move(to: phase) }
        #expect(seen.withLock { $0 } == [.inactive, .active, .background])
    }

    @Test func observerThatIsReleasedIsForgotten() {
        let activity = AppActivity(.active)
        let calls = Lock(0)
        activity.observe {
            calls.withLock { $0 += 1 }
            return false
        }
        activity.move(to: .background)
        activity.move(to: .active)
        #expect(calls.withLock { $0 } == 1)
        #expect(AppActivity.always.phase == .active)
    }

    @Test func activityKeepsNoServiceAlive() {
        let activity = AppActivity()
        weak var manager: SessionManager?
        do {
            let kept = SessionManager(
                store: MemorySessionStore(), gate: SessionGate(after: .zero) { _ in }, activity: activity)
            manager = kept
            withExtendedLifetime(kept) { activity.move(to: .active) }
        }
        #expect(manager == nil)
    }
}
