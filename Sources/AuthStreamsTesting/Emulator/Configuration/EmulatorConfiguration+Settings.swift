import AuthStreams

extension EmulatorConfiguration: SettingPart {
    static let blank = Self()
    static let settings: [Setting<Self>] = [
        Setting("appName", \.appName), Setting("allowedHosts", \.allowedHosts),
        Setting("allowedOrigins", \.allowedOrigins),
        Setting("issuerNames", \.issuerNames, ["served": .served, "production": .production]),
        Setting("apple", \.apple), Setting("google", \.google), Setting("kakao", \.kakao), Setting("naver", \.naver),
        Setting("issuer", \.issuer), Setting("firebase", \.firebase), Setting("server", \.server),
        Setting("supabase", \.supabase), Setting("consents", \.consents), Setting("faults", \.faults),
        Setting("clock", \.clockOffset),
    ]
}

extension EmulatorConfiguration.Consent: SettingPart {
    static let blank = Self()
    static let required = ["provider", "user", "scopes"]
    static let settings: [Setting<Self>] = [
        Setting(
            "provider", \.provider, Dictionary(uniqueKeysWithValues: Grant.Issuer.allCases.map { ($0.rawValue, $0) })),
        Setting("app", \.app), Setting("user", \.user), Setting("scopes", \.scopes), Setting("refused", \.refused),
    ]
}

extension EmulatorConfiguration.Fault: SettingPart {
    static let blank = Self()
    static let required = ["endpoint", "fault"]
    static let settings: [Setting<Self>] = [
        Setting("endpoint", \.address), Setting("times", \.times, ["once": .once, "always": .always]),
        Setting("value", \.value),
        Setting("fault", \.name) { part, name in
            var planned = part
            planned.name = name
            return planned.fault == nil
                ? "There is no fault '\(name)' with the value \(part.value.words). \(names)" : nil
        },
    ]

    private static let names = """
        There are: dropConnection, html, empty, malformedJSON, wrongNonce, wrongAudience, wrongIssuer, expiredToken, unsignedToken \
        and wrongSignature; with a number, status, truncated and oversized (bytes), delayed, rateLimited and clockSkew (seconds); with a \
        text, error.
        """

    private var address: String {
        get { endpoint.description }
        set { endpoint = EmulatorEndpoint(stringLiteral: newValue) }
    }
}

extension EmulatorConfiguration.Apple: SettingPart {
    static let blank = Self()
    static let settings: [Setting<Self>] = [
        Setting("servicesID", \.servicesID), Setting("bundleID", \.bundleID), Setting("teamID", \.teamID),
        Setting("keyID", \.keyID), Setting("redirectURIs", \.redirectURIs), Setting("relayCallback", \.relayCallback),
        Setting("notificationURLs", \.notificationURLs), Setting("transferIDs", \.transferIDs),
        Setting("realUserStatus", \.realUserStatus),
        Setting("users", \.users),
    ]
}

extension EmulatorConfiguration.Google: SettingPart {
    static let blank = Self()
    static let settings: [Setting<Self>] = [
        Setting("iOS", \.iOS), Setting("desktop", \.desktop), Setting("web", \.web), Setting("others", \.others),
        Setting("users", \.users),
    ]
}

extension EmulatorConfiguration.Google.Client: SettingPart {
    static let blank = Self(id: "", kind: .desktop)
    static let required = ["id", "kind"]
    static let settings: [Setting<Self>] = [
        Setting("id", \.id), Setting("secret", \.secret),
        Setting(
            "kind", \.kindOfProgram,
            ["iOS": .iOS, "desktop": .desktop, "web": .web(redirectURIs: []), "limitedInput": .limitedInput]),
        Setting("redirectURIs", \.redirectURIs) { client, uris in
            let isWeb = client.kindOfProgram == .web(redirectURIs: [])
            return isWeb || uris.isEmpty ? nil : "A client of kind web alone has them."
        },
    ]

    /// The kind without its redirect URIs.
    private var kindOfProgram: Kind {
        get { if case .web = kind { .web(redirectURIs: []) } else { kind } }
        set { if kindOfProgram != newValue { kind = newValue } }
    }

    /// The redirect URIs of a web client.
    private var redirectURIs: [String] {
        get { if case .web(let uris) = kind { uris } else { [] } }
        set { if case .web = kind { kind = .web(redirectURIs: newValue) } }
    }
}

extension EmulatorConfiguration.Kakao: SettingPart {
    static let blank = Self()
    static let settings: [Setting<Self>] = [
        Setting("appID", \.appID), Setting("nativeAppKeys", \.nativeAppKeys), Setting("restAPIKey", \.restAPIKey),
        Setting("restSecret", \.restSecret), Setting("adminKey", \.adminKey), Setting("redirectURIs", \.redirectURIs),
        Setting("logoutRedirectURIs", \.logoutRedirectURIs), Setting("bundleIDs", \.bundleIDs),
        Setting("isOpenIDEnabled", \.isOpenIDEnabled), Setting("scopes", \.scopes),
        Setting("requiredScopes", \.requiredScopes), Setting("unlinkWebhook", \.unlinkWebhook),
        Setting("unlinkWebhookMethod", \.unlinkWebhookMethod, ["GET": .get, "POST": .post]),
        Setting("users", \.users),
    ]
}

extension EmulatorConfiguration.Naver: SettingPart {
    static let blank = Self()
    static let settings: [Setting<Self>] = [
        Setting("clientID", \.clientID), Setting("clientSecret", \.clientSecret), Setting("urlScheme", \.urlScheme),
        Setting("redirectURIs", \.redirectURIs), Setting("requiredItems", \.requiredItems),
        Setting("additionalItems", \.additionalItems), Setting("unlinkCallback", \.unlinkCallback),
        Setting("users", \.users),
    ]
}

extension EmulatorConfiguration.Issuer: SettingPart {
    static let blank = Self()
    static let settings: [Setting<Self>] = [
        Setting("clientID", \.clientID),
        Setting(
            "pushedRequests", \.pushedRequests,
            ["unsupported": .unsupported, "supported": .supported, "required": .required]),
        Setting("acceptsDeviceCodes", \.acceptsDeviceCodes), Setting("deviceCodeLifetime", \.deviceCodeLifetime),
        Setting("devicePollingInterval", \.devicePollingInterval),
        Setting("dpop", \.dpop, ["unsupported": .unsupported, "supported": .supported, "required": .required]),
        Setting("demandsDPoPNonces", \.demandsDPoPNonces), Setting("redirectURIs", \.redirectURIs),
        Setting("postLogoutRedirectURIs", \.postLogoutRedirectURIs),
        Setting("accessTokenLifetime", \.accessTokenLifetime), Setting("refreshTokenLifetime", \.refreshTokenLifetime),
        Setting("users", \.users),
    ]
}

extension EmulatorConfiguration.Firebase: SettingPart {
    static let blank = Self()
    static let settings: [Setting<Self>] = [
        Setting("projectID", \.projectID), Setting("projectNumber", \.projectNumber), Setting("apiKey", \.apiKey),
        Setting("serviceAccount", \.serviceAccount), Setting("enabledProviders", \.enabledProviders),
        Setting("allowsPasswords", \.allowsPasswords), Setting("allowsMailLinks", \.allowsMailLinks),
        Setting("allowsAuthenticatorApps", \.allowsAuthenticatorApps),
        Setting("protectsAddresses", \.protectsAddresses), Setting("authorizedDomains", \.authorizedDomains),
        Setting("signsTokens", \.signsTokens), Setting("allowsAnonymousUsers", \.allowsAnonymousUsers),
        Setting("rotatesRefreshTokens", \.rotatesRefreshTokens),
        Setting("recentSignInToUnlink", \.recentSignInToUnlink), Setting("region", \.region),
        Setting("function", \.function), Setting("functionURLs", \.functionURLs),
        Setting("revocationFunction", \.revocationFunction),
        Setting("sessionRevocationFunction", \.sessionRevocationFunction),
        Setting("requiredBundleIDs", \.requiredBundleIDs), Setting("appCheckTokens", \.appCheckTokens),
    ]
}

extension EmulatorConfiguration.Server: SettingPart {
    static let blank = Self()
    static let settings: [Setting<Self>] = [
        Setting("providers", \.providers), Setting("accessTokenLifetime", \.accessTokenLifetime),
        Setting("refreshTokenLifetime", \.refreshTokenLifetime), Setting("refreshReuseWindow", \.refreshReuseWindow),
        Setting("givesRefreshTokens", \.givesRefreshTokens), Setting("recentSignIn", \.recentSignIn),
        Setting("checksAccessTokenAtSignOut", \.checksAccessTokenAtSignOut),
        Setting("takesAnonymousUsers", \.takesAnonymousUsers), Setting("challengeLifetime", \.challengeLifetime),
        Setting("codeLifetime", \.codeLifetime), Setting("codeAttempts", \.codeAttempts),
        Setting("resendAfter", \.resendAfter), Setting("relyingPartyID", \.relyingPartyID),
        Setting("passkeyOrigins", \.passkeyOrigins), Setting("pageCallback", \.pageCallback),
    ]
}

extension EmulatorConfiguration.Supabase: SettingPart {
    static let blank = Self()
    static let settings: [Setting<Self>] = [
        Setting("key", \.key), Setting("providers", \.providers),
        Setting("allowsUsersWithoutEmail", \.allowsUsersWithoutEmail), Setting("confirmsEmail", \.confirmsEmail),
        Setting("confirmsPhone", \.confirmsPhone), Setting("allowsAnonymousUsers", \.allowsAnonymousUsers),
        Setting("allowsManualLinking", \.allowsManualLinking),
        Setting("allowsAuthenticatorApps", \.allowsAuthenticatorApps),
        Setting("requiresReauthentication", \.requiresReauthentication),
        Setting("requiresCurrentPassword", \.requiresCurrentPassword),
        Setting("minimumPasswordLength", \.minimumPasswordLength),
        Setting("accessTokenLifetime", \.accessTokenLifetime), Setting("reuseInterval", \.reuseInterval),
        Setting("mailInterval", \.mailInterval), Setting("codeLifetime", \.codeLifetime),
        Setting("challengeLifetime", \.challengeLifetime), Setting("deletionFunction", \.deletionFunction),
    ]
}

extension EmulatorUser: SettingPart {
    static let blank = Self(id: "", name: "")
    static let required = ["id", "name"]
    static let settings: [Setting<Self>] = [
        Setting("id", \.id), Setting("name", \.fullName), Setting("givenName", \.givenName),
        Setting("familyName", \.familyName), Setting("email", \.email), Setting("isEmailVerified", \.isEmailVerified),
        Setting("pictureURL", \.pictureURL),
    ]

    /// The name, whose words are the given and the family name.
    private var fullName: String {
        get { name }
        set {
            self = Self(
                id: id, name: newValue, email: email, isEmailVerified: isEmailVerified, pictureURL: pictureURL)
        }
    }
}
