extension ServerIDTokenVerifier {
    /// Apple's ID tokens, for the web and for the app.
    static func apple(in configuration: EmulatorConfiguration) -> Self {
        Self(
            issuer: "https://appleid.apple.com",
            audiences: [configuration.apple.servicesID, configuration.apple.bundleID], hashesNonce: true)
    }

    /// Google's ID tokens, for any client of the app.
    static func google(in configuration: EmulatorConfiguration) -> Self {
        Self(issuer: "https://accounts.google.com", audiences: Set(configuration.google.clients.map(\.id)))
    }

    /// Kakao's ID tokens, for any key of the app.
    static func kakao(in configuration: EmulatorConfiguration) -> Self {
        Self(
            issuer: "https://kauth.kakao.com",
            audiences: configuration.kakao.keys(ofApp: configuration.kakao.appID))
    }
}
