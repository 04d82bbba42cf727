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
            let project = configuration.firebase
            return switch self {
            case .firebase:
                .firebase(project.client(at: base), routes: project.routes, functions: project.accountFunctions)
            case .server: .server(ServerRepository.emulatedURL(at: base))
            }
        }
    }
}
