import AuthStreams
import AuthStreamsTesting
import Foundation

/// For programs: one object per line.
struct JSONReport: Report {
    private struct Attempt: Encodable {
        let type = "attempt"
        let provider: String
        let scenario: String
        let backend: String
        let outcome: String
        let error: String?
        let uid: String?
        let steps: [String]
        let states: [String]
        let httpRequests: Int
        let milliseconds: Double
        let problems: [String]
    }

    private struct End: Encodable {
        let type = "summary"
        let ok: Bool
        let attempts: Int
        let httpRequests: Int
        let milliseconds: Double
        let problems: [String]
    }

    func begin(at emulator: URL, _ backend: EmulatedDevice.Backend, signsTokens: Bool) {}

    func add(_ record: AttemptRecord) {
        write(
            Attempt(
                provider: record.scenario.provider.shortName, scenario: record.scenario.story.rawValue,
                backend: record.backend.rawValue,
                outcome: record.error == nil ? "success" : "failure", error: record.error?.code.rawValue,
                uid: record.uid, steps: record.steps.map(\.name), states: record.states,
                httpRequests: record.httpRequests, milliseconds: rounded(record.duration), problems: record.problems))
    }

    func end(_ summary: Summary) {
        write(
            End(
                ok: summary.isOK, attempts: summary.attempts, httpRequests: summary.httpRequests,
                milliseconds: rounded(summary.duration), problems: summary.problems))
    }

    private func write(_ line: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(line) else { return }
        print(String(decoding: data, as: UTF8.self))
    }

    // Rounded as text would be, or the last digits are noise of the binary form.
    private func rounded(_ duration: Duration) -> Double { (duration.milliseconds * 10).rounded() / 10 }
}
