import AuthStreams
import AuthStreamsTesting
import Foundation

/// An app in a process of its own, for tests that kill it on the way or read all it says.
///
/// Arguments: where the emulator listens, the folder of the session store, the provider, and what the person does
/// (`approve`, `deny`, `cancel`, `page`), and what the app has for a server (`firebase`, `server`). It prints every state, event and result in every way that there is.
@main
struct ProbeApp {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 6, let base = URL(string: arguments[1]),
            let backend = EmulatedDevice.Backend(rawValue: arguments[5])
        else { exit(2) }
        let store = FileSessionStore(folder: URL(filePath: arguments[2]))
        let succeeded = await signIn(at: base, backend, store, ProviderID(rawValue: arguments[3]), arguments[4])
        exit(succeeded ? 0 : 1)
    }

    @MainActor
    private static func signIn(
        at base: URL, _ backend: EmulatedDevice.Backend, _ store: FileSessionStore, _ provider: ProviderID,
        _ decision: String
    ) async -> Bool {
        let device = EmulatedDevice(at: base, backend: backend, store: store)
        switch decision {
        case "deny":
            device.browser.answers = [.deny]
            (device.apps.kakaoTalk, device.apps.naver) = (.deny, .deny)
        case "cancel":
            device.browser.answers = [.close]
            (device.apps.kakaoTalk, device.apps.naver) = (.cancel, .cancel)
        // Agrees on the page, since no app is installed.
        case "page": device.apps.installed = []
        default: break
        }
        let states = Task { [states = device.auth.states] in for await state in states { say(state) } }
        let events = Task { [events = device.auth.events] in for await event in events { say(event) } }
        let result = await device.auth.signIn(with: provider).result
        say(result)
        say(device.browser.visits)
        states.cancel()
        events.cancel()
        if case .success = result { return true }
        return false
    }

    nonisolated private static func say(_ value: Any) {
        print(value)
        debugPrint(value)
        dump(value)
        FileHandle.standardError.write(Data("\(String(reflecting: value))\n".utf8))
    }
}
