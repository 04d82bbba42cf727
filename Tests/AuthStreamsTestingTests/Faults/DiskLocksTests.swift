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
