import Foundation

/// Plays every scenario with the library's policy, and prints what the server saw.
struct FleetReport {
    let devices: Int
    let seed: UInt64

    /// - Returns: Whether every promise was kept.
    func run() -> Bool {
        Console.say("faults fleet --devices \(devices) --seed \(seed)")
        var isKept = true
        let clock = ContinuousClock()
        for scenario in FleetScenario.all {
            let start = clock.now
            let record = Fleet<LibraryPolicy>.play(scenario, devices: devices, seed: seed)
            isKept = isKept && record.broken.isEmpty
            Console.say(
                "\n\(record.text)\n  computed in    \(Self.number(start.duration(to: clock.now) / .seconds(1), 1)) s")
        }
        return isKept
    }

    fileprivate static func number(_ value: Double, _ digits: Int = 0) -> String {
        String(format: "%.\(digits)f", value)
    }

    fileprivate static func time(_ seconds: Int) -> String {
        String(format: "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60)
    }
}

extension FleetRecord {
    var text: String {
        let during = peak(in: scenario.trouble)
        let verdict = broken.isEmpty ? "every promise was kept" : "BROKEN: \(broken.joined(separator: ", "))"
        return """
            \(scenario.title)

            \(chart)

              steady rate    \(FleetReport.number(steady, 1)) requests a second
              peak           \(FleetReport.number(peak.rate / steady, 2)) times that, for \(window) s from \
            \(FleetReport.time(peak.second)); \(FleetReport.number(during.rate / steady, 2)) during the trouble
              fresh again    \(FleetReport.time(Int(timeUntilFresh / .seconds(1)))) after the trouble; \
            \(expired) tokens were over before the next one came
              retries        \(FleetReport.number(Double(retries) / Double(devices), 3)) a device, at most \(mostRetries)
              signed out     \(signedOut) devices
              verdict        \(verdict)
            """
    }

    /// Requests a second over time. A column is five minutes, as high as the highest window in them.
    private var chart: String {
        let column = 300
        let peaks = stride(from: 0, to: FleetScenario.end, by: column).map { peak(in: $0..<$0 + column).rate }
        let (height, top) = (8, max(peaks.max() ?? 0, 2 * steady))
        let rows = (0..<height).reversed().map { row in
            let bars = peaks.map { rate in
                let eighths = Int((rate / top * Double(height * 8)).rounded()) - row * 8
                return String(" ▁▂▃▄▅▆▇█".dropFirst(min(max(eighths, 0), 8)).prefix(1))
            }
            let label = FleetReport.number(top * Double(row + 1) / Double(height), top < 20 ? 1 : 0)
            return String(repeating: " ", count: max(0, 8 - label.count)) + "\(label) │\(bars.joined())"
        }
        let hours = (0..<FleetScenario.end / FleetScenario.hour).map {
            "\($0):00".padding(toLength: FleetScenario.hour / column, withPad: " ", startingAt: 0)
        }
        return (rows + [String(repeating: " ", count: 10) + hours.joined()]).joined(separator: "\n")
    }
}
