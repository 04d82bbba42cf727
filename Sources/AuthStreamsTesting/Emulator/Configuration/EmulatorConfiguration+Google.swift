extension EmulatorConfiguration {
    /// An app at Google, with one client for each kind of program.
    public struct Google: Sendable {
        /// One OAuth client.
        public struct Client: Hashable, Sendable {
            /// The kinds of clients, which differ in redirects and secrets.
            public enum Kind: Hashable, Sendable {
                /// Redirects to its reversed client ID with any path; has no secret.
                case iOS
                /// Redirects to 127.0.0.1 or ::1 with any port and path; must send its secret, although it is public.
                case desktop
                /// Redirects only to these URIs; must send its secret.
                case web(redirectURIs: [String])
            }

            /// The identifier, ending in `.apps.googleusercontent.com`.
            public var id: String
            /// The secret, or `nil` for the kinds that have none.
            public var secret: String?
            /// What kind of program it is.
            public var kind: Kind

            /// Makes a client.
            public init(id: String, secret: String? = nil, kind: Kind) {
                self.id = id
                self.secret = secret
                self.kind = kind
            }
        }

        /// The client of an iOS app.
        public var iOS = Client(id: "1001-ios.apps.googleusercontent.com", kind: .iOS)
        /// The client of a program on a computer.
        public var desktop = Client(
            id: "1001-desktop.apps.googleusercontent.com", secret: "GOCSPX-emulator-desktop", kind: .desktop)
        /// The client of the app's server.
        public var web = Client(
            id: "1001-web.apps.googleusercontent.com", secret: "GOCSPX-emulator-web",
            kind: .web(redirectURIs: ["https://app.example/google"]))
        /// Further clients.
        public var others: [Client] = []
        /// The people with an account.
        public var users = [
            EmulatorUser(
                id: "100000000000000001001", name: "김민지", givenName: "민지", familyName: "김",
                email: "minji.kim@gmail.example", pictureURL: "https://lh3.example/minji"),
            EmulatorUser(
                id: "100000000000000001002", name: "Alex Morgan", givenName: "Alex", familyName: "Morgan",
                email: "alex.morgan@gmail.example", pictureURL: "https://lh3.example/alex"),
        ]

        /// Every client.
        public var clients: [Client] { [iOS, desktop, web] + others }
    }
}
