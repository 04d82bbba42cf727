public import AuthStreams
public import Foundation

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
                redirect: GoogleProvider.Redirect(for: platform.redirect), scopes: scopes, hostedDomain: hostedDomain,
                userAgent: platform.userAgent, transport: platform.transport, clock: platform.clock,
                endpoints: endpoints)
        }
    }

    /// Sign-in with Google, by the client in the file `GoogleService-Info.plist` of an app.
    ///
    /// Its client is of type iOS. On the command line attempts end with `misconfigured`, because Google requires another type
    /// there.
    ///
    /// - Parameters:
    ///   - plist: The file, which is read here; that of the app's bundle unless given. If it is missing, is no property list, has
    ///     no `CLIENT_ID`, or is of another app, attempts end with `misconfigured` before anything is shown.
    ///   - serverClientID: The client ID of your server, for a `Credential.serverAuthCode`; `nil` for none.
    ///   - scopes: The requested scopes; `openid` is always added.
    ///   - hostedDomain: The Workspace domain an account must belong to, `*` for any; `nil` accepts every account.
    ///   - endpoints: Google's endpoints.
    public static func google(
        plist: URL? = GoogleProvider.bundledPlist, serverClientID: String? = nil,
        scopes: [String] = GoogleProvider.defaultScopes, hostedDomain: String? = nil,
        endpoints: GoogleProvider.Endpoints = .production
    ) -> Self {
        var (clientID, plistError) = ("", AuthError?.none)
        do throws(AuthError) {
            clientID = try GoogleProvider.clientID(in: plist, of: Bundle.appIdentifier)
        } catch {
            plistError = error
        }
        return Self { [clientID, plistError] platform in
            var provider = GoogleProvider(
                clientID: clientID, serverClientID: serverClientID,
                redirect: GoogleProvider.Redirect(for: platform.redirect), scopes: scopes, hostedDomain: hostedDomain,
                userAgent: platform.userAgent, transport: platform.transport, clock: platform.clock,
                endpoints: endpoints)
            provider.plistError = plistError
            return provider
        }
    }
}

extension GoogleProvider {
    /// The file `GoogleService-Info.plist` in the bundle of the app, also in that of an extension; `nil` if there is none.
    public static var bundledPlist: URL? { GoogleServiceInfo.bundled }

    /// Reads the client ID of a property list.
    ///
    /// - Parameter bundleID: The bundle identifier of the app, which the file must name; `nil` for any.
    static func clientID(in plist: URL?, of bundleID: String?) throws(AuthError) -> String {
        let info = try GoogleServiceInfo(at: plist)
        try info.requireBundleID(bundleID)
        // The console adds the client when Google is enabled.
        return try info.text(
            for: "CLIENT_ID",
            orElse: "Enable Google in the Firebase console, at the sign-in methods, and download the file again.")
    }
}

extension GoogleProvider.Redirect {
    fileprivate init(for redirect: AuthPlatform.Redirect) {
        switch redirect {
        case .appURL: self = .reversedClientID
        case .loopback: self = .loopback
        }
    }
}
