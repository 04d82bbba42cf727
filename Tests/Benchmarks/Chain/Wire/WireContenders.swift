import AuthStreams
import AuthStreamsTesting
import Foundation

/// The ways to sign in that are compared, against one emulator.
struct WireContenders: Sendable {
    /// The library's whole chain.
    let ours: OurSignIn
    /// The same calls over one session.
    let bare: BareSignIn
    /// The same calls, each `POST` over a connection of its own.
    let fresh: BareSignIn

    /// - Throws: When no port can be opened.
    init(at base: URL) async throws {
        ours = await OurSignIn(at: base)
        bare = try await BareSignIn(at: base)
        fresh = try await BareSignIn(at: base, reusesConnections: false)
    }

    /// Lets go of the ports. Call it when the last sign-in has ended.
    func end() {
        bare.end()
        fresh.end()
    }
}
