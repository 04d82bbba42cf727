extension EmulatorConfiguration {
    /// An app with Sign in with Apple, on the web by way of a relay.
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
        /// Where the relay at `https://apple-relay.example/callback` sends the person on to: the app.
        ///
        /// It is fixed, and nothing in a request changes it; else the relay would be an open redirector.
        public var relayCallback = "com.example.authstreams://apple"
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
