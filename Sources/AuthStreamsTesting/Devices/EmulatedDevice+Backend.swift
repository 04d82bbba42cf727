import AuthStreams
import AuthStreamsFirebase
import Foundation

extension EmulatedDevice {
    /// What an emulated app has for a server.
    public enum Backend: String, CaseIterable, Sendable {
        /// Firebase Authentication and a callable function.
        case firebase
        /// A server of the app's own.
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
