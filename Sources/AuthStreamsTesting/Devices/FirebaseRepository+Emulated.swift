public import AuthStreams
public import AuthStreamsFirebase
public import Foundation

extension FirebaseRepository {
    /// Returns a repository for an emulator's Firebase, with the standard routes and every function.
    ///
    /// - Parameters:
    ///   - base: The emulator's URL.
    ///   - project: The emulator's project.
    ///   - transport: Sends the requests.
    ///   - clock: The clock.
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
    /// Returns the project's settings for an app that the emulator admits, with its restrictions.
    ///
    /// - Parameter base: The emulator's URL.
    public func client(at base: URL) -> FirebaseProject {
        var project = FirebaseProject(
            id: projectID, apiKey: apiKey, bundleID: requiredBundleIDs.min(), endpoints: .emulator(at: base))
        if let token = appCheckTokens.min() { project.appCheckToken = { Secret(token) } }
        return project
    }
}
