extension EmulatorConfiguration {
    /// Every client identifier and key of an app or a server, with its purpose.
    public var clientIDs: [(name: String, id: String)] {
        [
            ("Apple Services ID", apple.servicesID),
            ("Apple bundle ID", apple.bundleID),
            ("Google iOS client", google.iOS.id),
            ("Google desktop client", google.desktop.id),
            ("Google web client", google.web.id),
        ] + kakao.nativeAppKeys.map { ("Kakao native app key", $0) } + [
            ("Kakao REST API key", kakao.restAPIKey),
            ("Naver client ID", naver.clientID),
            ("OpenID Connect client", issuer.clientID),
            ("Firebase project", firebase.projectID),
            ("Firebase API key", firebase.apiKey),
        ]
    }
}
