// The emulator as a program: Apple, Google, Kakao, Naver and Firebase on one port of this machine.
//
//     swift run emulator [--port N] [--host H]… [--production-issuers] [--unsigned-tokens]

import AuthStreamsTesting
import Foundation

func say(_ text: String, to handle: FileHandle = .standardOutput) { handle.write(Data(text.utf8)) }

switch Arguments(CommandLine.arguments.dropFirst()) {
case .help:
    say(Arguments.usage + "\n")
case .wrong(let reason):
    say("emulator: \(reason)\n\(Arguments.usage)\n", to: .standardError)
    exit(2)
case .run(let port, let hosts, let issuers, let signsTokens):
    do {
        let interrupts = Interrupts()
        var configuration = EmulatorConfiguration()
        configuration.allowedHosts = hosts
        configuration.issuerNames = issuers
        configuration.firebase.signsTokens = signsTokens
        let emulator = try Emulator.start(configuration, port: port)
        say(Report(emulator: emulator).text)
        await interrupts.first()
        emulator.stop()
        say("\nStopped.\n")
    } catch {
        say("emulator: \(error)\n", to: .standardError)
        exit(1)
    }
}
