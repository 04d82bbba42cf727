import AuthStreams
import AuthStreamsFirebase
import Foundation

extension EmulatedDevice {
    /// The server of an emulated app.
    public enum Backend: String, CaseIterable, Sendable {
        /// Firebase Authentication and a callable function.
        case firebase
        /// The app's own server.
        case server

        func repository(
            at base: URL, _ configuration: EmulatorConfiguration, transport: any HTTPTransport, clock: AuthClock
        ) -> any AuthRepository {
            switch self {
            case .firebase:
                FirebaseRepository.emulated(
                    at: base, project: configuration.firebase, transport: transport, clock: clock)
            case .server: ServerRepository.emulated(at: base, transport: transport, clock: clock)
            }
        }
    }
}
