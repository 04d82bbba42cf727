public import Foundation

/// Makes the connection to a server, for a platform.
///
/// The modules of the repositories declare one for each, such as `.firebase(plist:functionsIn:)` of AuthStreamsFirebase,
/// `.supabase(url:key:deletionFunction:)` of AuthStreamsSupabase and ``server(_:contract:accepting:headers:members:closureTimeLimit:)``.
public struct AuthRepositoryFactory: Sendable {
    private let make: @Sendable (AuthPlatform) -> any AuthRepository

    /// Makes a factory.
    ///
    /// - Parameter make: Returns the repository. Called once for each service.
    public init(_ make: @escaping @Sendable (AuthPlatform) -> any AuthRepository) {
        self.make = make
    }

    /// An existing repository.
    public static func repository(_ repository: any AuthRepository) -> Self { Self { _ in repository } }

    /// Returns a repository with the parts of a platform.
    public func repository(for platform: AuthPlatform) -> any AuthRepository { make(platform) }
}

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
