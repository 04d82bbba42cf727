public import AuthStreams
public import AuthStreamsSupabase
public import Foundation

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
