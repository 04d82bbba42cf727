public import AuthStreams
public import Foundation

extension ServerRepository {
    /// The app's own server as an emulator plays it, by the documented contract.
    ///
    /// - Parameters:
    ///   - base: Where the emulator listens.
    ///   - transport: The network.
    ///   - clock: Time.
    public static func emulated(
        at base: URL, transport: any HTTPTransport = URLSessionTransport(), clock: AuthClock = .system
    ) -> ServerRepository {
        ServerRepository(
            at: URL(literal: "https://api.pulseboard.example").relocated(onto: base), transport: transport,
            clock: clock)
    }
}
