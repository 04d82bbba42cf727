import Foundation
import TestSupport
import Testing

@testable import AuthStreams

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The store on a simulated disk: what power cuts, full disks and bad disks leave of a record.
@Suite(.limitedParallelization) struct PowerCutTests {
    @Test func everyShortSequenceSurvivesAPowerCutAtEveryCall() {
        let cuts = PowerCuts()
        cuts.tryAll(ofLength: 4)
        #expect(cuts.broken == [])
        #expect(cuts.disks > 100)
    }

    @Test func drawnSequencesSurvivePowerCutsAndFailures() {
        for seed in 1...TestVolume.of(10, full: 50) as ClosedRange<UInt64> {
            let cuts = PowerCuts(seed: seed)
            cuts.limit = 4
            cuts.tryDrawn(length: 8)
            #expect(cuts.broken == [], "seed \(seed)")
        }
    }

    @Test(arguments: TestVolume.of([EIO], full: [EIO, ENOSPC]), [false, true])
    func aFailureOfAnyCallLeavesTheOldOrTheNewRecord(code: Int32, lasts: Bool) {
        for isDone in [false, true] {
            for change in PowerCuts.Change.allCases {
                let failure = PowerCuts.Failure(code: code, isDone: isDone, lasts: lasts)
                let cuts = PowerCuts()
                cuts.limit = 2
                cuts.tryFailures(of: change, with: failure)
                cuts.make(.write)
                cuts.tryFailures(of: change, with: failure)
                #expect(cuts.broken == [], "\(failure)")
            }
        }
    }

    enum Flush: CaseIterable {
        case file, folderBeforeOldVersionsGo, folderAfterRemoval, foldersAbove
    }

    /// A store that leaves one of its flushes out is found out.
    @Test(arguments: Flush.allCases) func eachFlushIsNeeded(flush: Flush) {
        let cuts = PowerCuts()
        var isSwept = false
        cuts.leavesOut = { call, machine in
            switch call {
            case .link: isSwept = false
            case .unlink(let name, _) where name.hasPrefix("session@"): isSwept = true
            case .order: return flush == .file
            case .flush(let file):
                guard let node = machine.processes[0].files[file]?.node else { return false }
                guard machine.disk.path(of: node) == SimulatedHost.folder.path else { return flush == .foldersAbove }
                return flush == (isSwept ? .folderAfterRemoval : .folderBeforeOldVersionsGo)
            default: break
            }
            return false
        }
        cuts.tryAll(ofLength: 2)
        #expect(cuts.broken != [])
    }
}
