public import AuthStreams
public import AuthStreamsFirebase
public import AuthStreamsSupabase
public import Foundation

extension FirebaseRepository {
    /// Returns a repository for an emulator's Firebase, with the standard routes and every function.
    ///
    /// - Parameters:
    ///   - base: The emulator's URL.
    ///   - project: The emulator's project.
    ///   - transport: Sends the requests. Unless given, they wait for the answer as long as the emulator takes.
    ///   - clock: The clock.
    public static func emulated(
        at base: URL, project: EmulatorConfiguration.Firebase = EmulatorConfiguration().firebase,
        transport: any AuthHTTPTransport = .untimed(), clock: AuthClock = .system
    ) -> FirebaseRepository {
        FirebaseRepository(
            project: project.client(at: base), routes: project.routes, functions: project.accountFunctions,
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

    /// The routes of the providers, with the emulator's function for Kakao and Naver.
    var routes: [ProviderID: FirebaseRoute] {
        .standard(
            functionsIn: FunctionsRegion(rawValue: region), function: .named(function), format: functionFormat)
    }

    /// The emulator's functions for revocations.
    var accountFunctions: AccountFunctions {
        AccountFunctions(
            at: .region(FunctionsRegion(rawValue: region)), revocation: .named(revocationFunction),
            format: functionFormat, sessionRevocation: .named(sessionRevocationFunction))
    }
}

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

extension SupabaseRepository {
    /// Returns a repository for an emulator's Supabase, with the standard providers and the function that deletes accounts.
    ///
    /// - Parameters:
    ///   - base: The emulator's URL.
    ///   - project: The emulator's project.
    ///   - transport: Sends the requests. Unless given, they wait for the answer as long as the emulator takes.
    ///   - clock: The clock.
    public static func emulated(
        at base: URL, project: EmulatorConfiguration.Supabase = EmulatorConfiguration().supabase,
        transport: any AuthHTTPTransport = .untimed(), clock: AuthClock = .system
    ) -> SupabaseRepository {
        SupabaseRepository(project: project.client(at: base), transport: transport, clock: clock)
    }
}

extension EmulatorConfiguration.Supabase {
    /// Returns the project's settings for an app.
    ///
    /// - Parameter base: The emulator's URL.
    public func client(at base: URL) -> SupabaseProject {
        SupabaseProject(
            url: URL(literal: "https://authstreams.supabase.co").relocated(onto: base), key: key,
            deletionFunction: deletionFunction)
    }
}
