/// Makes the connection to a server, for a platform.
///
/// The modules of the repositories declare one for each, such as `.firebase(plist:functionsIn:)` of AuthStreamsFirebase and
/// ``server(_:contract:accepting:headers:members:closureTimeLimit:)``.
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
