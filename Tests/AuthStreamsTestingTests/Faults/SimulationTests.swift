import AuthStreams
import TestSupport
import Testing

@testable import faults

/// Seeded schedules of faults against the whole library, in simulated time.
@Suite struct SimulationTests {
    private static func schedule(_ number: Int) -> Schedule {
        Schedule(seed: Chance.seed(20_261_121, schedule: number))
    }

    /// One argument for each twenty, so that a failure says where it is.
    @Test(arguments: 0..<TestVolume.of(5, full: 25)) func everyPromiseIsKept(twenty: Int) throws {
        for number in twenty * 20..<(twenty + 1) * 20 {
            let finding = try Simulation.play(Self.schedule(number))
            #expect(finding == nil, "schedule \(number)")
        }
    }

    @Test func aScheduleGoesTheSameWayEachTime() throws {
        for number in 0..<TestVolume.of(10, full: 40) {
            let (first, second) = (Timeline(isKept: true), Timeline(isKept: true))
            _ = try Simulation.play(Self.schedule(number), timeline: first)
            _ = try Simulation.play(Self.schedule(number), timeline: second)
            #expect(first.lines == second.lines, "schedule \(number)")
            #expect(first.lines.count > 10)
        }
    }

    @Test func aTimelineChangesNothing() throws {
        for number in 0..<TestVolume.of(10, full: 40) {
            var schedule = Self.schedule(number)
            schedule.flaw = .forgetfulDisk
            let finding = try Simulation.play(schedule, timeline: Timeline(isKept: true))
            #expect(try Simulation.play(schedule) == finding)
        }
    }

    @Test(arguments: WorldFlaw.allCases) func aWorldThatBreaksItsPromisesIsFound(flaw: WorldFlaw) throws {
        let expected: Invariant =
            switch flaw {
            case .forgetfulDisk: .storedBeforeHandedOut
            case .emptyWhileLocked: .noSignOutWithoutReason
            case .silentAtRest: .itWorksAgain
            case .lossUnnoticed: .lostLockSendsNothing
            }
        let isFound = try (0..<200).contains { number in
            var schedule = Self.schedule(number)
            schedule.flaw = flaw
            return try Simulation.play(schedule)?.promise == expected
        }
        #expect(isFound)
    }

    @Test func aFindingIsTheLastLineBeforeTheEndAndStaysInAShorterSchedule() throws {
        let number = try #require(
            (0..<200).first { number in
                var schedule = Self.schedule(number)
                schedule.flaw = .forgetfulDisk
                return try Simulation.play(schedule) != nil
            })
        var schedule = Self.schedule(number)
        schedule.flaw = .forgetfulDisk
        let timeline = Timeline(isKept: true)
        let finding = try #require(try Simulation.play(schedule, timeline: timeline))
        #expect(timeline.lines.contains { $0.hasSuffix("!! \(finding)") })

        let shorter = try schedule.shortened(until: finding.promise)
        #expect(shorter.steps.count < schedule.steps.count)
        #expect(try Simulation.play(shorter)?.promise == finding.promise)
    }

    /// What a run prints that counts the schedules that break a promise.
    private func count(_ schedules: Int, flaw: WorldFlaw?) -> (isPlayed: Bool, lines: [String]) {
        let lines = Lock<[String]>([])
        let run = Run(seed: 20_261_121, schedules: schedules, threads: 2, counts: true, flaw: flaw) { line in
            lines.withLock { $0.append(line) }
        }
        return (run.run(), lines.withLock { $0 })
    }

    @Test func aRunThatCountsPlaysAllAndNamesEachThatBreaks() throws {
        let all = TestVolume.of(50, full: 100)
        let broken = try (0..<all).compactMap { number -> String? in
            var schedule = Self.schedule(number)
            schedule.flaw = .forgetfulDisk
            return try Simulation.play(schedule).map { "\(number)  \($0)" }
        }
        try #require(broken.count > 1)
        let (isPlayed, lines) = count(all, flaw: .forgetfulDisk)
        #expect(isPlayed)
        #expect(lines.first == "faults --schedules \(all) --seed 20261121 --all")
        #expect(Set(lines.dropFirst().dropLast(3)) == Set(broken))
        #expect(lines.count == broken.count + 4)
        #expect(
            lines.last
                == "\(broken.count) of \(all) schedules broke a promise: one in \(all / broken.count)")
    }

    @Test func aRunThatCountsNoBreakNamesNoRate() {
        let (isPlayed, lines) = count(5, flaw: nil)
        #expect(isPlayed)
        #expect(lines.count == 4)
        #expect(lines.last == "0 of 5 schedules broke a promise")
    }

    @Test func theLockOfAStoppedProcessIsNotWaitedForWithoutEnd() throws {
        let wait = "waits for the lock refresh no longer"
        let number = try #require(
            (0..<4000).first { number in
                let schedule = Self.schedule(number)
                guard schedule.plan.processes > 1, schedule.steps.contains(where: \.stopsForLong) else { return false }
                let timeline = Timeline(isKept: true)
                _ = try Simulation.play(schedule, timeline: timeline)
                return timeline.lines.contains { $0.hasSuffix(wait) }
            })
        #expect(try Simulation.play(Self.schedule(number)) == nil)
    }

    @Test func promptsAreShownAndAnswered() throws {
        var encounters = Encounters()
        for number in 0..<TestVolume.of(100, full: 200) {
            _ = try Simulation.play(Self.schedule(number)) { encounters.add($0) }
        }
        for encounter in [Encounter.prompt, .promptOfChange, .acceptedAnswer, .session, .superseded] {
            #expect(encounters[encounter] > 0, "\(encounter)")
        }
    }

    @Test func anEncounterThatWasNotMetIsNamed() {
        var encounters = Encounters()
        for encounter in Encounter.allCases where encounter != .killed { encounters[encounter] += 1 }
        #expect(encounters.missing == [.killed])
        #expect(encounters.description.hasPrefix("prompts 1, "))
    }

    @Test func seedsDrawDifferentSchedules() {
        let plans = Set((0..<100).map { Self.schedule($0).steps })
        #expect(plans.count > 95)
        #expect(Self.schedule(7).steps == Self.schedule(7).steps)
    }
}

extension Step {
    /// Whether a process stands still for longer than the others wait for its locks.
    fileprivate var stopsForLong: Bool { if case .freeze(let span) = act { span > 30_000 } else { false } }
}
