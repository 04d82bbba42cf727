// The emulator as a program: Apple, Google, Kakao, Naver and Firebase on one port of this machine.
//
//     swift run emulator [--config FILE] [--port N] [--open] [--control] [--host H]… [--production-issuers] [--unsigned-tokens]

import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation

func say(_ text: String, to handle: FileHandle = .standardOutput) { handle.write(Data(text.utf8)) }

switch Arguments.read(CommandLine.arguments.dropFirst()) {
case .help:
    say(Arguments.usage + "\n")
case .schema:
    say(String(decoding: EmulatorConfiguration.jsonSchema, as: UTF8.self) + "\n")
case .wrong(let reason):
    say("emulator: \(reason)\n\(Arguments.usage)\n", to: .standardError)
    exit(2)
case .misconfigured(let reason):
    say("emulator: \(reason)\n", to: .standardError)
    exit(2)
case .run(let configuration, let port, let opens):
    do {
        let interrupts = await Interrupts()
        let emulator = try Emulator.start(configuration, port: port)
        say(Report(emulator: emulator).text)
        // The file that leads a browser to the page is removed with the visit.
        let visit = opens ? await SystemBrowserLauncher().open(emulator.baseURL, universalLinksOnly: false) : nil
        if opens, visit == nil {
            say("emulator: No browser opened. Open \(emulator.baseURL) yourself.\n", to: .standardError)
        }
        await interrupts.first()
        withExtendedLifetime(visit) {}
        emulator.stop()
        say("\nStopped.\n")
    } catch {
        say("emulator: \(error.text)\n", to: .standardError)
        exit(1)
    }
}
