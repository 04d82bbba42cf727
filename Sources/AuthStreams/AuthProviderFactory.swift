/// Makes a provider for a platform.
///
/// The modules of the providers declare one for each, so that an app names its providers and nothing else:
///
/// ```swift
/// providers: [.apple, .google(clientID: "…"), .kakao(nativeAppKey: "…")]
/// ```
///
/// A provider of your own gets one in the same way:
///
/// ```swift
/// extension AuthProviderFactory {
///     static func line(channelID: String) -> Self {
///         AuthProviderFactory { LINEProvider(channelID: channelID, userAgent: $0.userAgent, transport: $0.transport) }
///     }
/// }
/// ```
///
/// A factory checks nothing. The provider ends its attempts with `misconfigured` where a value is wrong.
public struct AuthProviderFactory: Sendable {
    private let make: @Sendable (AuthPlatform) -> any AuthProvider

    /// Makes a factory.
    ///
    /// - Parameter make: Returns the provider. Called once for each service.
    public init(_ make: @escaping @Sendable (AuthPlatform) -> any AuthProvider) {
        self.make = make
    }

    /// An existing provider. If it waits for URLs of the app, its router must be that of the platform; otherwise its attempts end
    /// with `misconfigured`.
    public static func provider(_ provider: any AuthProvider) -> Self { Self { _ in provider } }

    /// Returns a provider with the parts of a platform.
    public func provider(for platform: AuthPlatform) -> any AuthProvider { make(platform) }
}
