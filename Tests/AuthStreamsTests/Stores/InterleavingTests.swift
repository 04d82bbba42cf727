import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// Several processes with one store on a simulated disk, in many orders of their system calls.
@Suite(.limitedParallelization) struct InterleavingTests {
    /// How often a process may stand still while another continues: `AUTH_STORE_STOPS`, once unless set.
    static let stops = ProcessInfo.processInfo.environment["AUTH_STORE_STOPS"].flatMap(Int.init) ?? 1

    static let programs: [[[Interleavings.Operation]]] = [
        [[.read], [.write("b"), .write("c")]],
        [[.read], [.write("b"), .removal]],
        [[.write("a")], [.write("b")]],
        [[.write("a")], [.removal]],
        [[.removal], [.removal]],
        [[.write("a")], [.read, .write("b")]],
        [[.write("a")], [.write("b"), .write("c")]],
        [[.write("a")], [.removal, .write("c")]],
        [[.removal], [.write("b"), .write("c")]],
    ]

    @Test func oneOfTwoWritersWinsInEveryOrderOfTheirCalls() throws {
        try expectPromises(Self.programs[2], after: ["old"], listing: .atOnce)
    }

    /// Also where names that come or go while a process lists the folder may be in the list or not.
    @Test(arguments: stops > 1 ? programs : TestVolume.part(0, of: 3, programs))
    func aProcessMayStandStillBetweenAnyTwoCallsWhileAnotherGoesOn(programs: [[Interleavings.Operation]]) throws {
        for changes in [["old"], ["old", nil]] {
            try expectPromises(programs, after: changes, listing: .any) { $0.stops = 1 }
        }
        guard Self.stops > 1 else { return }
        try expectPromises(programs, after: ["old"], listing: .late) { $0.stops = Self.stops }
    }

    @Test(arguments: [programs[3]])
    func aProcessMayDieBetweenAnyTwoCalls(programs: [[Interleavings.Operation]]) throws {
        try expectPromises(programs, after: ["old"], listing: .atOnce) {
            $0.stops = Self.stops
            $0.kills = true
        }
    }

    @Test(arguments: [programs[3], programs[5]])
    func thePowerMayFailWhenTwoProcessesMakeTheFolder(programs: [[Interleavings.Operation]]) throws {
        try expectPromises(programs, after: [], listing: .atOnce) {
            $0.stops = Self.stops
            $0.cutsPower = true
        }
    }

    /// A writer that died has left older versions. A reader lists the folder while the next writer removes them, and opens what it
    /// has found while that continues.
    @Test func readerFindsNoOldVersionWhileSeveralAreRemoved() throws {
        let programs: [[Interleavings.Operation]] = [[.read], [.write("c")]]
        try expectPromises(programs, after: ["a", "b"], listing: .any, isSwept: false) { $0.stops = 2 }
    }

    /// Else a writer that was stopped could make a version that was written and is gone.
    @Test func itIsNeededThatTemporaryFilesOfLateWritersGoFirst() throws {
        let trial = try Interleavings([[.write("a")], [.write("b"), .write("c")]], after: ["old"])
        trial.stops = 1
        trial.leavesOut = { call, machine, process in
            guard case .unlink(let name, let folder) = call, name.hasPrefix(".") else { return false }
            return machine.maker(of: name, inOpen: folder, process) != process
        }
        trial.visitAll()
        #expect(trial.broken != [])
    }

    private func expectPromises(
        _ programs: [[Interleavings.Operation]], after changes: [String?],
        listing: SimulatedMachine.ListingKind = .atOnce, isSwept: Bool = true,
        _ change: (Interleavings) -> Void = { _ in },
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let trial = try Interleavings(programs, after: changes, listing: listing, isSwept: isSwept)
        change(trial)
        trial.visitAll()
        #expect(trial.broken == [], sourceLocation: sourceLocation)
        #expect(trial.states > 100, sourceLocation: sourceLocation)
    }
}
