import Foundation
import Testing

@testable import AuthStreams

/// Several processes with one store on a simulated disk, in many orders of their system calls.
@Suite struct InterleavingTests {
    /// Whether to try every order: `AUTH_ALL_ORDERS`, which takes minutes.
    static let triesAllOrders = ProcessInfo.processInfo.environment["AUTH_ALL_ORDERS"] != nil

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
    @Test(arguments: programs)
    func aProcessMayStandStillBetweenAnyTwoCallsWhileAnotherGoesOn(programs: [[Interleavings.Operation]]) throws {
        for changes in [["old"], ["old", nil]] {
            try expectPromises(programs, after: changes, listing: .any) { $0.stops = 1 }
        }
    }

    @Test(arguments: [programs[3]])
    func aProcessMayDieBetweenAnyTwoCalls(programs: [[Interleavings.Operation]]) throws {
        try expectPromises(programs, after: ["old"], listing: .atOnce) {
            $0.stops = 1
            $0.kills = true
        }
    }

    @Test(arguments: [programs[3], programs[5]])
    func thePowerMayFailWhenTwoProcessesMakeTheFolder(programs: [[Interleavings.Operation]]) throws {
        try expectPromises(programs, after: [], listing: .atOnce) {
            $0.stops = 1
            $0.cutsPower = true
        }
    }

    @Test(.enabled("Set AUTH_ALL_ORDERS.") { triesAllOrders }, arguments: programs)
    func everyOrderOfCalls(programs: [[Interleavings.Operation]]) throws {
        try expectPromises(programs, after: ["old"], listing: .late)
        try expectPromises(programs, after: ["old"], listing: .any) { $0.stops = 2 }
        try expectPromises(programs, after: []) { ($0.stops, $0.kills, $0.cutsPower) = (2, true, true) }
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
        listing: SimulatedMachine.ListingKind = .atOnce, _ change: (Interleavings) -> Void = { _ in },
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let trial = try Interleavings(programs, after: changes, listing: listing)
        change(trial)
        trial.visitAll()
        #expect(trial.broken == [], sourceLocation: sourceLocation)
        #expect(trial.states > 100, sourceLocation: sourceLocation)
    }
}
