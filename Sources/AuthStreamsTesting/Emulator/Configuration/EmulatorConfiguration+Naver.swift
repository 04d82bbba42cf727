extension EmulatorConfiguration {
    /// An app at Naver.
    public struct Naver: Sendable {
        /// The client identifier.
        public var clientID = "emulatorNaverClient"
        /// The client secret, which every token request must send.
        public var clientSecret = "emulNaver1"
        /// The URL scheme that the Naver app calls back.
        public var urlScheme = "authstreamsnaver"
        /// The registered redirect URIs. `http://127.0.0.1/…` stands for any port (RFC 8252 section 7.3).
        public var redirectURIs = [
            "authstreamsnaver://authorize", "https://app.example/naver", "http://127.0.0.1/callback",
        ]
        /// The people with an account.
        public var users = [
            EmulatorUser(
                id: "naver-1001", name: "김민지", email: "minji@naver.example",
                pictureURL: "https://phinf.example/minji.png"),
            EmulatorUser(
                id: "naver-1002", name: "Alex Morgan", email: "alex@naver.example",
                pictureURL: "https://phinf.example/alex.png"),
        ]
    }
}
