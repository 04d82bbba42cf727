public import AuthStreams
public import AuthStreamsFirebase
public import Foundation

extension FirebaseRepository {
    /// Firebase as an emulator speaks it, with the standard routes.
    ///
    /// - Parameters:
    ///   - base: Where the emulator listens.
    ///   - project: The project that it knows.
    ///   - transport: The network.
    ///   - clock: Time.
    public static func emulated(
        at base: URL, project: EmulatorConfiguration.Firebase = EmulatorConfiguration().firebase,
        transport: any HTTPTransport = URLSessionTransport(), clock: AuthClock = .system
    ) -> FirebaseRepository {
        FirebaseRepository(
            project: FirebaseProject(id: project.projectID, apiKey: project.apiKey, endpoints: .emulator(at: base)),
            routes: .standard(functionsIn: FunctionsRegion(rawValue: project.region)), transport: transport,
            clock: clock)
    }
}
