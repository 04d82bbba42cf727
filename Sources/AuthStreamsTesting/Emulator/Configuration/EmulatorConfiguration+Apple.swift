extension EmulatorConfiguration {
    /// An app with Sign in with Apple, on the web through a relay.
    public struct Apple: Sendable {
        /// The Services ID: the client of the web flow.
        public var servicesID = "com.example.authstreams.web"
        /// The bundle identifier: the client of the native flow, and an audience of its ID tokens.
        public var bundleID = "com.example.authstreams"
        /// The developer team, which is the issuer of client secrets.
        public var teamID = "EMULATOR01"
        /// The identifier of the key that signs client secrets.
        public var keyID = "EMULATOR42"
        /// The registered redirect URIs. An https one is served below the emulator's base, as every production URL is.
        public var redirectURIs = ["https://apple-relay.example/callback", "https://app.example/apple"]
        /// The app's URL to which the relay at `https://apple-relay.example/callback` redirects the person.
        ///
        /// It is fixed, and no request changes it; otherwise the relay would be an open redirector.
        public var relayCallback = "com.example.authstreams://apple"
        /// Where Apple reports changes of accounts: the app's server and the project's function, unless given.
        ///
        /// Apple takes one address. One that is not emulated is called over the network, such as
        /// `http://127.0.0.1:8080/apple` of a server in development.
        public var notificationURLs = [
            "https://api.pulseboard.example/auth/apple/notifications",
            "https://asia-northeast3-authstreams-demo.cloudfunctions.net/appleNotifications",
        ]
        /// The people with an account.
        public var users = [
            EmulatorUser(
                id: "001001.b1946ac92492d2347c6235b4d2611184.1001", name: "김민지", givenName: "민지", familyName: "김",
                email: "minji.kim@icloud.example"),
            EmulatorUser(
                id: "001002.591785b794601e212b260e25925636fd.1002", name: "Alex Morgan", givenName: "Alex",
                familyName: "Morgan", email: "x7k2m9@privaterelay.example"),
        ]
    }
}
