import AuthStreams
import Foundation
import Testing

@testable import AuthStreams
@testable import faults

@Suite struct ExplorerTests {
    private let records = RecordTable()

    private func world(_ beginning: Beginning = .stored) -> SharedWorld {
        SharedWorld(beginning, SharedWorld.Budget(), records)
    }

    private func request(_ world: SharedWorld, isRepeat: Bool = false) -> RefreshRequest {
        RefreshRequest(
            session: world.session(0, version: 0), generation: 1, refresh: nil, isRepeat: isRepeat, isStored: true)
    }

    @Test func tinyWorldIsWalkedToItsEnd() {
        let world = Exploration.World.tiny
        let result = Explorer(limit: .max).explore(world.beginnings, world.budget)
        #expect(result.failure?.broken == nil)
        #expect(result.isWhole)
        #expect(result.states > 1000)
        #expect(result.transitions > result.states)
        #expect(result.rested > 0)
    }

    @Test func limitEndsTheWalkAndIsSaid() {
        let world = Exploration.World.whole
        let result = Explorer(limit: 2000).explore(world.beginnings, world.budget)
        #expect(!result.isWhole)
        #expect(result.text.contains("not complete"))
        #expect(result.failure?.broken == nil)
    }

    /// States are told apart by these. Who adds a field adds it to `==` and `hash` of the process, too, unless it is the same in
    /// every process that is explored, as `refreshPolicy` is.
    @Test func fieldsThatTellStatesApartAreKnown() {
        func fields(_ value: Any) -> [String] { Mirror(reflecting: value).children.compactMap(\.label) }
        #expect(
            fields(SessionStateMachine()) == [
                "state", "storage", "operations", "generation", "refreshPolicy", "migrationCallers", "clockSkew",
                "effects",
            ])
        #expect(
            fields(ExploredProcess()) == [
                "machine", "launch", "signIn", "refresh", "nextRefresh", "migration", "withdrawal",
                "isRefreshSuperseded", "holdsLock", "persists", "follows", "section", "reported", "events", "broken",
            ])
    }

    // MARK: The invariants

    @Test func tokenThatIsSentWithoutItsMarkIsFound() {
        var broken: [String] = []
        Invariants.sends(request(world()), in: world(), records, &broken)
        #expect(broken == ["A refresh token was sent that another process finds without a mark."])
    }

    @Test func tokenThatIsSentAfterItsAnswerWasReadIsFound() {
        var world = world()
        world.disk = 0
        world.families[0].version = 1
        var broken: [String] = []
        Invariants.sends(request(world, isRepeat: true), in: world, records, &broken)
        #expect(broken == ["A refresh token was sent although an answer to it was read."])
        world.families[0].isAnswerLost = true
        broken = []
        Invariants.sends(request(world, isRepeat: true), in: world, records, &broken)
        #expect(broken.isEmpty)
    }

    @Test func refreshThatRemovesAnotherSessionIsFound() {
        var world = world()
        let answer = world.session(0, version: 1)
        let section = ExploredProcess.Section(purpose: .refreshAnswer(answer, request(world)))
        var broken: [String] = []
        Invariants.writes(0, section, ExploredProcess(), in: &world, records, &broken)
        #expect(broken == ["A session was removed that nothing ended."])
        #expect(world.families[0].isEnded)
    }

    @Test func reportThatEndsALaterSignInIsFound() throws {
        var world = world()
        world.families.append(world.families[0])
        var before = ExploredProcess()
        before.launch = .done
        let later = records.number(
            of: SessionRecord(
                .established(world.session(1, version: 0)), isUnanswered: false, signedInAt: world.date,
                savedAt: world.date))
        before.machine.restored(records.snapshots[Int(later)], of: 0, at: world.now, since: .zero)
        let identity = try #require(before.machine.providerIdentity)
        before.performEffects()
        before.events = []
        var after = before
        _ = after.machine.accessRevoked(by: identity, at: world.now)
        after.performEffects()
        for (family, isBroken) in [(0, true), (1, false)] {
            before.withdrawal = .ending(.init(identity: identity, reportedAt: world.now, family: family))
            let broken = Invariants.broken(
                from: before, to: after, by: .endsWithdrawnSession, in: world, records)
            #expect(broken.isEmpty != isBroken, "\(broken)")
        }
    }

    @Test func twoProcessesThatSendOneTokenAreFound() {
        let world = world()
        var process = ExploredProcess()
        process.launch = .done
        process.refresh = .sent(RefreshOperation(replaced: Secret("a0.0"), startedAt: .zero), request(world))
        let traits = ProcessTraits(of: process)
        #expect(traits.broken(beside: traits) == "Two processes send one refresh token at once.")
        #expect(traits.broken(beside: ProcessTraits(of: ExploredProcess())) == nil)
    }

    @Test func sessionThatIsNotStoredAtRestIsFound() {
        let world = world()
        var process = ExploredProcess()
        process.launch = .done
        #expect(
            Invariants.brokenAtRest(process, in: world, records)
                == "At rest, a process shows another session than the store holds.")
        process.machine.restored(records.snapshots[Int(world.disk)], of: 0, at: world.now, since: .zero)
        #expect(Invariants.brokenAtRest(process, in: world, records) == nil)
    }
}
