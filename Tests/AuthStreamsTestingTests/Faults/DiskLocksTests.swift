import AuthStreams
import Testing

@testable import faults

@Suite struct DiskLocksTests {
    private static let name = SessionStoreKey(rawValue: "refresh")

    /// Locks that an expectation may change.
    private final class Locks {
        private var locks = DiskLocks()
        var count: Int { locks.count }
        func enter(_ claim: DiskLocks.Claim) -> Bool { locks.enter(claim) }
        func leave(_ claim: DiskLocks.Claim) -> DiskLocks.Claim? { locks.leave(claim) }
        func left(by owner: Int) -> [DiskLocks.Claim] { locks.left(by: owner) }
        func lost(by owner: Int) -> [DiskLocks.Claim] { locks.lost(by: owner) }
        func isHeld(_ claim: DiskLocks.Claim) -> Bool { locks.isHeld(claim) }
    }

    private func claim(_ owner: Int, _ name: SessionStoreKey = Self.name) -> DiskLocks.Claim {
        DiskLocks.Claim(name, of: owner) {}
    }

    @Test func oneHoldsALockAndTheNextFollows() {
        let locks = Locks()
        let (first, second) = (claim(0), claim(1))
        #expect(locks.enter(first))
        #expect(!locks.enter(second))
        #expect(locks.leave(first) === second)
        #expect(locks.leave(second) == nil)
        #expect(locks.count == 0)
    }

    @Test func locksOfOtherNamesAreOtherLocks() {
        let locks = Locks()
        #expect(locks.enter(claim(0)))
        #expect(locks.enter(claim(1, SessionStoreKey(rawValue: "write"))))
    }

    @Test func aLostLockIsTheNextOnesAndStaysSoAfterARelease() {
        let locks = Locks()
        let (first, second, again) = (claim(0), claim(1), claim(0))
        #expect(locks.enter(first))
        #expect(!locks.enter(second))
        #expect(!locks.enter(again))
        let next = locks.lost(by: 0)
        #expect(next.count == 1 && next.first === second)
        #expect(!locks.isHeld(first))
        #expect(locks.leave(first) == nil)
        #expect(locks.isHeld(second))
        // Who lost one still waits for another.
        #expect(locks.leave(second) === again)
    }

    @Test func theLocksOfADeadProcessAreFree() {
        let locks = Locks()
        let survivor = claim(1)
        #expect(locks.enter(claim(0)))
        #expect(!locks.enter(claim(0)))
        #expect(!locks.enter(survivor))
        #expect(locks.left(by: 0).map(\.owner) == [1])
        #expect(locks.count == 1)
    }

    @Test func whoStopsWaitingIsNeverGivenTheLock() {
        let locks = Locks()
        let (holder, impatient) = (claim(0), claim(1))
        #expect(locks.enter(holder))
        #expect(!locks.enter(impatient))
        #expect(locks.leave(impatient) == nil)
        #expect(locks.leave(holder) == nil)
        #expect(locks.count == 0)
    }
}
