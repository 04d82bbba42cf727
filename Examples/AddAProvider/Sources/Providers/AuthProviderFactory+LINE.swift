// AddAProvider: factory
import AuthStreams

extension AuthProviderFactory {
    /// Sign-in with LINE.
    static func line(channelID: String, channelSecret: Secret, redirect: AuthorizationPage.Redirect) -> Self {
        Self { platform in
            LINEProvider(
                channelID: channelID, channelSecret: channelSecret, redirect: redirect, userAgent: platform.userAgent,
                transport: platform.transport)
        }
    }
}
// AddAProvider end
