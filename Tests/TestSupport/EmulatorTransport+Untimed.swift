package import AuthStreamsTesting
import Foundation

extension EmulatorTransport {
    /// Makes a transport whose requests wait for the answer as long as the emulator takes, on however slow a machine.
    package static func untimed(to emulator: Emulator) -> EmulatorTransport {
        EmulatorTransport(to: emulator, clock: ManualClock().authClock(startingAt: .distantPast))
    }
}
