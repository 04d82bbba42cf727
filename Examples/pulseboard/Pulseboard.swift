import AuthStreams
import AuthStreamsTesting
import Foundation

/// An app in a terminal, whose screens follow the state: launch, log-in, home.
///
/// Its servers are emulated, and the person at a provider's page is the one at the keyboard, or a script. Exits with 2 for
/// invalid arguments, and without a terminal if no script is given.
@main
struct Pulseboard {
    static func main() async {
        LoopbackProxy.exemptThisMachine()
        let arguments: Arguments
        switch Arguments.parse(Array(CommandLine.arguments.dropFirst())) {
        case .success(let parsed): arguments = parsed
        case .failure(let complaint): fail("\(complaint)\n\n\(Arguments.usage)", status: 2)
        }
        guard !arguments.wantsHelp else {
            print(Arguments.usage)
            return
        }
        do {
            try await withEmulator { emulator in
                if let script = arguments.script {
                    await play(script, arguments, at: emulator.baseURL)
                } else if let keyboard = Keyboard() {
                    await run(keyboard, arguments, at: emulator.baseURL)
                } else {
                    fail(
                        "Input is no terminal, so there are no keys to press. Run pulseboard with --script.", status: 2)
                }
            }
        } catch {
            fail("The emulator could not be started: \(error)", status: 1)
        }
    }

    /// Presses each key when the app has settled after the one before.
    @MainActor
    private static func play(_ keys: [Key], _ arguments: Arguments, at emulator: URL) async {
        let board = Board(Phone(at: emulator), arguments.texts, showsProgress: false) { print($0) }
        await board.settle()
        for key in keys {
            print("> \(key.rawValue)  \(key.title)")
            guard board.press(key) else { return }
            await board.settle()
        }
    }

    /// Presses each key when the person does.
    @MainActor
    private static func run(_ keyboard: Keyboard, _ arguments: Arguments, at emulator: URL) async {
        let board = Board(Phone(at: emulator), arguments.texts, showsProgress: true) { print($0) }
        for await character in keyboard.characters {
            guard let key = Key(rawValue: character) else { continue }
            guard board.press(key) else { break }
        }
        keyboard.close()
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(status)
    }
}
