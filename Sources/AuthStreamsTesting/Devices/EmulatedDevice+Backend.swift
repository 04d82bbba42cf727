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

        func factory(at base: URL, _ configuration: EmulatorConfiguration) -> AuthRepositoryFactory {
            AuthRepositoryFactory { platform in
                switch self {
                case .firebase:
                    FirebaseRepository.emulated(
                        at: base, project: configuration.firebase, transport: platform.transport,
                        clock: platform.clock)
                case .server:
                    ServerRepository.emulated(at: base, transport: platform.transport, clock: platform.clock)
                }
            }
        }
    }
}
