public import AuthStreams
public import Foundation

extension ServerRepository {
    /// Returns a repository for the emulator's own server, with everything of the documented contract.
    ///
    /// - Parameters:
    ///   - base: The emulator's URL.
    ///   - transport: Sends the requests. Unless given, they wait for the answer as long as the emulator takes.
    ///   - clock: The clock.
    public static func emulated(
        at base: URL, transport: any AuthHTTPTransport = .untimed(), clock: AuthClock = .system
    ) -> ServerRepository {
        ServerRepository(at: emulatedURL(at: base), contract: .emulated, transport: transport, clock: clock)
    }

    /// The emulator's own server, below the emulator's URL.
    static func emulatedURL(at base: URL) -> URL {
        URL(literal: "https://api.pulseboard.example").relocated(onto: base)
    }
}

extension ServerContract {
    /// The contract of the emulator's own server.
    static let emulated = ServerContract(offering: [.passwords, .codes, .emailLinks, .secondFactors, .passkeys])
}
