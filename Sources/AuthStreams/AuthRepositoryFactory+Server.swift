public import Foundation

extension AuthRepositoryFactory {
    /// The app's own server; see ``ServerRepository``.
    ///
    /// - Parameters:
    ///   - base: The base URL of the server's paths, by https or on this machine.
    ///   - contract: The server's paths and names.
    ///   - providers: The providers whose credentials the server takes; `nil` for all.
    ///   - headers: Header fields for every request, such as an attestation of the app.
    ///   - members: Further members of the bodies, by their paths.
    ///   - closureTimeLimit: How long each of the two closures may take.
    public static func server(
        _ base: URL, contract: ServerContract = ServerContract(), accepting providers: Set<ProviderID>? = nil,
        headers: (@Sendable () async throws -> [HeaderName: String])? = nil,
        members: (@Sendable (ServerContract.Endpoint) async throws -> [String: AuthJSON])? = nil,
        closureTimeLimit: Duration = .seconds(15)
    ) -> Self {
        Self { platform in
            ServerRepository(
                at: base, contract: contract, accepting: providers, headers: headers, members: members,
                closureTimeLimit: closureTimeLimit, transport: platform.transport, clock: platform.clock)
        }
    }
}
