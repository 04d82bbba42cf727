import AuthStreams
import Foundation
import Testing

@testable import AuthStreams
@testable import faults

@Suite struct ExplorerTests {
    private let records = RecordTable()

    /// A record with a session of that family.
    private func record(_ family: Int, version: UInt8 = 0, in world: SharedWorld) -> SessionRecord {
        let stage = KeptSession.Stage(id: SharedWorld.id(of: family), revision: Int(version))
        return SessionRecord(
            KeptSession(.established(world.session(family, version: version)), at: stage, savedAt: world.now.date))
    }

    /// A process that shows what a record says.
    private func process(showing number: RecordTable.Number, in world: SharedWorld) -> ExploredProcess {
        var process = ExploredProcess()
        process.launch = .done
        process.machine.restored(records.snapshots[Int(number)], at: world.now, since: .zero)
        process.performEffects()
        process.events = []
        return process
    }

    private func world(_ beginning: Beginning = .stored) -> SharedWorld {
        SharedWorld(beginning, SharedWorld.Budget(), records)
    }

    private func request(_ world: SharedWorld, isRepeat: Bool = false) -> RefreshRequest {
        RefreshRequest(
            kept: KeptSession(
                .established(world.session(0, version: 0)), at: KeptSession.Stage(id: SharedWorld.id(of: 0))),
            refresh: nil, isRepeat: isRepeat)
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
    /// every process that is explored, as `refreshPolicy` and `gate` are.
    @Test func fieldsThatTellStatesApartAreKnown() {
        func fields(_ value: Any) -> [String] { Mirror(reflecting: value).children.compactMap(\.label) }
        #expect(
            fields(SessionStateMachine()) == [
                "state", "storage", "operations", "gate", "refreshPolicy", "adopts", "clockSkew", "effects",
            ])
        #expect(
            fields(ExploredProcess()) == [
                "machine", "launch", "signIn", "refresh", "nextRefresh", "change", "everywhere",
                "committedSince", "withdrawal", "isRefreshSuperseded", "isChangeInterrupted", "lock", "persists",
                "follows", "section", "reported", "judged", "events", "broken",
            ])
    }

    // MARK: The invariants

    @Test func tokenThatIsSentWithoutItsMarkIsFound() {
        var world = world()
        var broken: [String] = []
        Invariants.sends(request(world), in: &world, records, &broken)
        #expect(broken == ["A refresh token was sent that another process finds without a mark."])
    }

    @Test func tokenThatIsSentTwiceIsFoundUnlessThereIsACause() {
        var world = world()
        world.disk = RecordTable.removed
        func sends(isRepeat: Bool) -> [String] {
            var broken: [String] = []
            Invariants.sends(request(world, isRepeat: isRepeat), in: &world, records, &broken)
            return broken
        }
        #expect(sends(isRepeat: false).isEmpty)
        #expect(sends(isRepeat: true) == ["A refresh token was sent again without a cause."])
        world.families[0].mayBeSentAgain = true
        #expect(sends(isRepeat: true).isEmpty)
        (world.families[0].version, world.families[0].mayBeSentAgain) = (1, true)
        #expect(sends(isRepeat: false) == ["A repeat was taken for a first request."])
    }

    /// What a process writes over the session of the world, and what that breaks.
    @Test func writesThatNoDecisionAsksForAreFound() {
        var newer = world()
        newer.families += [.init(user: 0), .init(user: 0)]
        newer.families[0].version = 1
        newer.families[2].isGone = true
        newer.disk = records.number(of: record(0, version: 1, in: newer))
        for (next, isEnded, expected) in [
            (record(0, in: newer), false, "Newer tokens were overwritten by older ones."),
            (record(1, in: newer), false, "A session was removed that nothing ended."),
            (record(1, in: newer), true, nil),
            (record(2, in: newer), true, "A session that had ended is stored again."),
        ] {
            var world = newer
            var judged = ExploredProcess.Judged()
            if isEnded { judged.end(0, in: &world) }
            var broken: [String] = []
            let found = records.snapshots[Int(world.disk)]
            let process = process(showing: world.disk, in: world)
            var machine = process.machine
            _ = machine.signOut()
            machine.storage.beginWriting()
            guard case .success(let attempt?) = machine.writeBegan(over: .success(found), at: world.now) else {
                Issue.record("Nothing is written.")
                continue
            }
            Invariants.writes(
                records.number(of: next), .decision(attempt), by: judged, in: &world, records, &broken)
            #expect(broken.first == expected)
        }
    }

    @Test func reportThatEndsALaterSignInIsFound() throws {
        var world = world()
        world.families.append(world.families[0])
        var before = process(showing: records.number(of: record(1, in: world)), in: world)
        let identity = try #require(before.machine.providerIdentity)
        var after = before
        _ = after.machine.accessRevoked(by: identity)
        after.performEffects()
        for (family, isBroken) in [(0, true), (1, false)] {
            before.withdrawal = .ending(identity, family: family)
            let broken = Invariants.broken(
                from: before, to: after, by: .endsWithdrawnSession, in: world, records)
            #expect(broken.isEmpty != isBroken, "\(broken)")
        }
    }

    @Test func sessionThatIsShownAfterItsEndIsFound() {
        let world = world()
        var before = ExploredProcess()
        before.launch = .done
        before.section = .init(purpose: .following, stage: .read(records.snapshots[Int(world.disk)]))
        var after = process(showing: world.disk, in: world)
        #expect(Invariants.broken(from: before, to: after, by: .learnsWhatItRead, in: world, records).isEmpty)
        var ended = world
        after.judged.end(0, in: &ended)
        #expect(
            Invariants.broken(from: before, to: after, by: .learnsWhatItRead, in: world, records)
                == ["A session is shown that was ended here."])
    }

    @Test func lockOfTwoProcessesIsFound() {
        var process = ExploredProcess()
        process.lock = .held
        let traits = ProcessTraits(of: process)
        #expect(traits.broken(beside: traits) == "Two processes hold the refresh lock.")
        process.lock = .lost
        #expect(traits.broken(beside: ProcessTraits(of: process)) == nil)
    }

    @Test func whatIsWrongAtRestIsFound() {
        var world = world()
        var idle = ExploredProcess()
        idle.launch = .done
        func broken(_ process: ExploredProcess) -> String? { Invariants.brokenAtRest([process], in: world, records) }
        #expect(broken(idle) == "At rest, a process shows another session than the store holds.")
        let showing = process(showing: world.disk, in: world)
        #expect(broken(showing) == nil)
        world.families[0].isEnded = true
        #expect(broken(showing) == "At rest, a session is stored that a decision ended.")
        world.families[0].isEnded = false
        world.profiles[0] = 1
        #expect(broken(showing) == "A change of the profile was answered, and the store holds the user before it.")
        world.disk = RecordTable.removed
        #expect(broken(process(showing: world.disk, in: world)) == "The session 0 is lost.")
    }
}
