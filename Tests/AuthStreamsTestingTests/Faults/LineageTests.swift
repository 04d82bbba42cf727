import Testing

@testable import faults

@Suite struct LineageTests {
    /// Three sign-ins, made in this order: the first two take effect in the other order, the third never does.
    private var lineage: Lineage {
        var lineage = Lineage()
        for mark in 1...3 { lineage.made(at: mark, from: nil) }
        lineage.began(1, in: 3)
        lineage.landed(1, at: 4)
        lineage.began(0, in: 4)
        lineage.tookEffect(0, at: 5)
        return lineage
    }

    @Test func ofSignInsThatOverlapEitherMayBeTheNewer() {
        var lineage = Lineage()
        for mark in 1...2 { lineage.made(at: mark, from: nil) }
        lineage.began(0, in: 2)
        lineage.began(1, in: 3)
        lineage.tookEffect(1, at: 4)
        lineage.tookEffect(0, at: 5)
        #expect(lineage.isNewer(0, than: 1))
        #expect(lineage.isNewer(1, than: 0))
        #expect(lineage.rivals(of: 0) == [1])
    }

    @Test func theSignInThatTookEffectLastIsTheNewest() {
        #expect(lineage.newest == 0)
        #expect(lineage.isNewer(0, than: 1))
        #expect(!lineage.isNewer(1, than: 0))
        #expect(!lineage.isNewer(2, than: 1))
    }

    @Test func aSignInTakesEffectOnce() {
        var lineage = lineage
        lineage.landed(1, at: 6)
        #expect(lineage.newest == 0)
        #expect(lineage.rank(1) == 4)
    }

    @Test func aSessionOfAChangeIsItsSignInsAndNewerThanTheOneBefore() {
        var lineage = lineage
        lineage.made(at: 6, from: 1)
        #expect(lineage.isNewer(3, than: 1))
        #expect(!lineage.isNewer(1, than: 3))
        #expect(lineage.isNewer(0, than: 3))
        lineage.landed(3, at: 7)
        #expect(lineage.newest == 0)
    }

    @Test func whatAnotherSDKLeftIsOlderThanEverySignIn() {
        var lineage = lineage
        lineage.made(at: 6, from: nil)
        lineage.wasLeft(3)
        lineage.landed(3, at: 7)
        #expect(lineage.isNewer(1, than: 3))
        #expect(lineage.isNewer(3, than: 2))
    }
}
