public import AuthStreams
public import AuthStreamsFirebase
public import Foundation

extension FirebaseRepository {
    /// Firebase as an emulator speaks it, with the standard routes and every function.
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
            project: project.client(at: base),
            routes: .standard(
                functionsIn: FunctionsRegion(rawValue: project.region), function: .named(project.function),
                format: project.functionFormat),
            functions: AccountFunctions(
                at: .region(FunctionsRegion(rawValue: project.region)), revocation: .named(project.revocationFunction),
                format: project.functionFormat, sessionRevocation: .named(project.sessionRevocationFunction)),
            transport: transport, clock: clock)
    }
}

extension EmulatorConfiguration.Firebase {
    /// The project as an app names it that the emulator lets in, restrictions and all.
    ///
    /// - Parameter base: Where the emulator listens.
    public func client(at base: URL) -> FirebaseProject {
        var project = FirebaseProject(
            id: projectID, apiKey: apiKey, bundleID: requiredBundleIDs.min(), endpoints: .emulator(at: base))
        if let token = appCheckTokens.min() { project.appCheckToken = { Secret(token) } }
        return project
    }
}
