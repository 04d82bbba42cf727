import Testing

@testable import faults

@Suite struct FaultsArgumentsTests {
    @Test func aRunNamesItsSchedulesAndItsSeed() {
        #expect(
            Arguments(["--schedules", "100", "--seed", "7", "--threads", "2"])
                == .run(seed: 7, schedules: 100, threads: 2, counts: false))
    }

    @Test func aRunMayCountTheBreaks() {
        #expect(
            Arguments(["--all", "--schedules", "100", "--seed", "7", "--threads", "2"])
                == .run(seed: 7, schedules: 100, threads: 2, counts: true))
    }

    @Test func oneScheduleIsPlayedAgain() {
        #expect(Arguments(["--seed", "7", "--schedule", "12"]) == .replay(seed: 7, schedule: 12))
    }

    @Test func aFleetNamesItsDevicesAndItsSeed() {
        #expect(Arguments(["fleet"]) == .fleet(devices: 1_000_000, seed: 1))
        #expect(Arguments(["fleet", "--devices", "2000", "--seed", "7"]) == .fleet(devices: 2000, seed: 7))
    }

    @Test func anExplorationNamesItsWorldAndItsStates() {
        #expect(Arguments(["explore"]) == .explore(world: .small, states: 100_000_000))
        #expect(Arguments(["explore", "--world", "whole", "--states", "7"]) == .explore(world: .whole, states: 7))
    }

    @Test func withoutASeedAFreshOneIsDrawn() {
        #expect(Arguments([]) != Arguments([]))
    }

    @Test(arguments: [
        ["--schedule", "12"], ["--schedules", "0"], ["--threads", "0"], ["--threads", "1000"], ["--seed"],
        ["--seed", "x"], ["--schedules", "99999999999999999"], ["--what"],
        ["--devices", "2000"], ["fleet", "--schedules", "1"], ["fleet", "--devices", "1"],
        ["explore", "--seed", "1"], ["explore", "--world", "none"], ["--world", "tiny"], ["explore", "--states", "0"],
        ["explore", "fleet"], ["explore", "--all"],
    ])
    func whatMakesNoSenseIsSaid(words: [String]) {
        guard case .wrong = Arguments(words) else {
            Issue.record("\(words) was taken")
            return
        }
    }

    @Test func helpIsHelp() { #expect(Arguments(["--seed", "1", "--help"]) == .help) }
}
