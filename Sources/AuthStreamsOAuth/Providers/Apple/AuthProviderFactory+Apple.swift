public import AuthStreams
public import Foundation

extension AuthProviderFactory {
    /// Sign-in with Apple by its web page and a relay on your server; see ``AppleWebProvider``.
    ///
    /// An app on Apple systems uses `.apple` of AuthStreamsApple, the system's sheet, which needs none of this.
    ///
    /// - Parameters:
    ///   - servicesID: The identifier of type Services ID, which Apple's tokens name as their audience.
    ///   - relay: The relay, registered with Apple as a return URL.
    ///   - callback: The URL of the app to which the relay redirects. On the command line attempts end with `misconfigured`.
    ///   - scopes: The requested scopes.
    ///   - endpoints: Apple's endpoints.
    public static func apple(
        servicesID: String, relay: URL, callback: URL, scopes: [AppleWebProvider.Scope] = [.name, .email],
        endpoints: AppleWebProvider.Endpoints = .production
    ) -> Self {
        Self { platform in
            AppleWebProvider(
                servicesID: servicesID, relayURL: relay, callback: callback, scopes: scopes,
                userAgent: platform.userAgent, transport: platform.transport, clock: platform.clock,
                endpoints: endpoints)
        }
    }
}
