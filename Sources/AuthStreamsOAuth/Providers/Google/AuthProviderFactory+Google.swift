public import AuthStreams

extension AuthProviderFactory {
    /// Sign-in with Google; see ``GoogleProvider``.
    ///
    /// The platform decides the type of the client, and how the answer returns:
    ///
    /// | platform | client of type | the answer returns to |
    /// | --- | --- | --- |
    /// | an app | iOS, without a secret | the reversed client ID |
    /// | the command line | Desktop, with its secret | a listener |
    ///
    /// - Parameters:
    ///   - clientID: The client ID of the Google Cloud console, such as `1234-abc.apps.googleusercontent.com`.
    ///   - clientSecret: The secret of a client of type Desktop; `nil` for one of type iOS.
    ///   - serverClientID: The client ID of your server, for a `Credential.serverAuthCode`; `nil` for none.
    ///   - scopes: The requested scopes; `openid` is always added.
    ///   - hostedDomain: The Workspace domain an account must belong to, `*` for any; `nil` accepts every account.
    ///   - endpoints: Google's endpoints.
    public static func google(
        clientID: String, clientSecret: Secret? = nil, serverClientID: String? = nil,
        scopes: [String] = GoogleProvider.defaultScopes, hostedDomain: String? = nil,
        endpoints: GoogleProvider.Endpoints = .production
    ) -> Self {
        Self { platform in
            GoogleProvider(
                clientID: clientID, clientSecret: clientSecret, serverClientID: serverClientID,
                redirect: GoogleProvider.Redirect(for: platform.pageReturn), scopes: scopes, hostedDomain: hostedDomain,
                userAgent: platform.userAgent, transport: platform.transport, clock: platform.clock,
                endpoints: endpoints)
        }
    }
}

extension GoogleProvider.Redirect {
    fileprivate init(for pageReturn: AuthPlatform.PageReturn) {
        switch pageReturn {
        case .appURL: self = .reversedClientID
        case .loopback: self = .loopback
        }
    }
}
