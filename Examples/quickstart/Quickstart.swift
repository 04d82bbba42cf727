import AuthStreams
import AuthStreamsTesting
import Foundation

/// Signs in with Apple, Google, Kakao and Naver, end to end: from a tap through the provider, the use case and the
/// repository to the servers and back, over real HTTP on this machine, with a scripted person in front.
///
/// Prints the outcomes; exits with 1 if one was not as expected, with 2 for invalid arguments.
@main
struct Quickstart {
    static func main() async {
        LoopbackProxy.exemptThisMachine()
        let arguments: Arguments
        switch Arguments.parse(Array(CommandLine.arguments.dropFirst())) {
        case .success(let parsed): arguments = parsed
        case .failure(let complaint):
            FileHandle.standardError.write(Data("\(complaint)\n\n\(Arguments.usage)\n".utf8))
            exit(2)
        }
        guard !arguments.wantsHelp else {
            print(Arguments.usage)
            return
        }
        let report: any Report = arguments.isJSON ? JSONReport() : TextReport()
        do {
            exit(try await run(arguments, report) ? 0 : 1)
        } catch {
            FileHandle.standardError.write(Data("The emulator could not be started: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: Arguments, _ report: any Report) async throws -> Bool {
        try await withEmulator { emulator in
            report.begin(at: emulator.baseURL, arguments.backend, signsTokens: emulator.signsTokens)
            var records: [AttemptRecord] = []
            for scenario in Scenario.all(for: arguments.providers, at: arguments.backend)
            where scenario.story != .passkey || emulator.signsTokens {
                let record = try await run(scenario, emulator, arguments.backend)
                report.add(record)
                records.append(record)
            }
            let summary = Summary(records)
            report.end(summary)
            return summary.isOK
        }
    }

    private static func run(
        _ scenario: Scenario, _ emulator: Emulator, _ backend: EmulatedDevice.Backend
    ) async throws -> AttemptRecord {
        guard let configuration = scenario.configuration else {
            return try await Rehearsal(emulator: emulator, backend: scenario.backend(backend)).run(scenario)
        }
        return try await withEmulator(configuration) { emulator in
            try await Rehearsal(emulator: emulator, backend: scenario.backend(backend)).run(scenario)
        }
    }
}
