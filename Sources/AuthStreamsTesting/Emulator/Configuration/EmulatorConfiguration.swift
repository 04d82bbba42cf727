public import AuthStreams
import Foundation

/// The apps, users and time of an ``Emulator``.
///
/// The defaults are ready to use: one app registered at every provider, and two people with an account at each. The
/// secrets here are public.
public struct EmulatorConfiguration: Sendable {
    /// The app at Apple.
    public var apple = Apple()
    /// The app at Google.
    public var google = Google()
    /// The app at Kakao.
    public var kakao = Kakao()
    /// The app at Naver.
    public var naver = Naver()
    /// The app's own OpenID Connect issuer.
    public var issuer = Issuer()
    /// The Firebase project.
    public var firebase = Firebase()
    /// The app's own server.
    public var server = Server()
    /// The Supabase project.
    public var supabase = Supabase()
    /// How the tokens of Apple, Google, Kakao and Naver name their issuers.
    public enum IssuerNames: Hashable, Sendable {
        /// By the emulator's URL for the issuer, as clients that read an issuer's discovery document expect.
        case served
        /// As production does, for libraries that accept no other issuer, such as Google's. The discovery document and the `iss` of
        /// a redirect say the same; the endpoints stay the emulator's. The providers of AuthStreams expect ``served`` at an emulator.
        case production
    }
    /// How the tokens of Apple, Google, Kakao and Naver name their issuers: by the emulator's URL, unless set.
    public var issuerNames = IssuerNames.served
    /// The app's name on the consent pages.
    public var appName = "PulseBoard"
    /// Further values of the `Host` field that it answers, such as `10.0.2.2:9099` for an Android emulator: with the port,
    /// unless a browser leaves it out. What is asked for under such a name has it in issuers and endpoints.
    ///
    /// A page under such a name may read and send everything here, so add no name that others can make point to this
    /// machine.
    public var allowedHosts: Set<String> = []
    /// Further origins, such as `http://localhost:3000`, whose pages may send to the emulator's own pages, and read the dashboard and
    /// the control.
    public var allowedOrigins: Set<String> = []
    /// The bearer token of requests below `/emulator/control`, by which programs change the emulator. If `nil`, the control is off.
    /// ``json`` does not contain it.
    public var controlToken: Secret?
    /// The time by which codes and tokens expire.
    public var clock: AuthClock
    /// How many seconds the emulator is ahead of ``clock``.
    var clockOffset: TimeInterval = 0
    /// What people have agreed to when the emulator begins.
    var consents: [Consent] = []
    /// The faults of the first requests.
    var faults: [Fault] = []

    /// Makes a configuration with the defaults. Change it where a test needs it.
    public init(clock: AuthClock = .system) {
        self.clock = clock
    }
}

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
            ("Supabase publishable key", supabase.key),
        ]
    }
}

extension EmulatorConfiguration {
    /// The identifiers and secrets that an app's back end needs, each with its purpose. All are public; do not accept them in
    /// production.
    public var secrets: [(name: String, value: String)] {
        [
            ("Apple team ID", apple.teamID), ("Apple key ID", apple.keyID), ("Apple private key", apple.privateKey),
            ("Google web client secret", google.web.secret ?? ""),
            ("Google desktop client secret", google.desktop.secret ?? ""),
            ("Kakao client secret of the REST API key", kakao.restSecret ?? ""), ("Kakao admin key", kakao.adminKey),
            ("Naver client secret", naver.clientSecret), ("Firebase service account", firebase.serviceAccount),
        ].filter { !$0.1.isEmpty }
    }
}

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
        /// The key that signs client secrets: PKCS #8 in PEM (RFC 7468), as the file that Apple gives a developer.
        public var privateKey: String {
            let lines = DevelopmentKeys.bytes(DevelopmentKeys.ellipticPrivateKey).base64EncodedString(
                options: [.lineLength64Characters, .endLineWithLineFeed])
            return "-----BEGIN PRIVATE KEY-----\n\(lines)\n-----END PRIVATE KEY-----"
        }
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
        /// Whether a person appears to be real: 0 for unsupported, 1 for unknown, 2 for likely real. Told to the app at their first
        /// native sign-in.
        public var realUserStatus = 2
        /// The identifiers of people by which the app's next team finds them, by those of this one: the claim `transfer_sub`.
        public var transferIDs: [String: String] = [:]
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

extension EmulatorConfiguration {
    /// An app at Google, with one client for each kind of program.
    public struct Google: Sendable {
        /// One OAuth client.
        public struct Client: Hashable, Sendable {
            /// The kinds of clients, which differ in redirects and secrets.
            public enum Kind: Hashable, Sendable {
                /// Redirects to its reversed client ID with any path; has no secret.
                case iOS
                /// Redirects to 127.0.0.1, ::1 or localhost with any port and path; must send its secret, although it is public.
                case desktop
                /// Redirects only to these URIs; must send its secret.
                case web(redirectURIs: [String])
                /// A television or another device with limited input, whose code a person enters elsewhere; must send its secret.
                case limitedInput
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
        package var clients: [Client] { [iOS, desktop, web] + others }
    }
}

extension EmulatorConfiguration {
    /// An app at Kakao. Its native keys and its REST key are different clients of the same app.
    public struct Kakao: Sendable {
        /// The app's number, which distinguishes its access tokens from those of another app.
        public var appID: Int64 = 1_234_567
        /// The app's native keys; Kakao allows up to five. They have no secret; the redirect URI of each is
        /// `kakao{KEY}://oauth`. A server accepts ID tokens for any of them.
        package var nativeAppKeys = ["0a1b2c3d4e5f60718293a4b5c6d7e8f9"]
        /// The key of a server or a website.
        public var restAPIKey = "9f8e7d6c5b4a39281706f5e4d3c2b1a0"
        /// The secret of the REST key, or `nil` if the console does not require it.
        public var restSecret: String? = "emulator-kakao-secret"
        /// The key by which the app's server acts for any of its users. It is never in an app.
        public var adminKey = "emulator-kakao-admin-key"
        /// The redirect URIs of the REST key. `http://127.0.0.1/…` stands for any port (RFC 8252 section 7.3).
        public var redirectURIs = ["https://app.example/kakao", "http://127.0.0.1/callback"]
        /// The registered URIs to which `kauth.kakao.com/oauth/logout` redirects.
        public var logoutRedirectURIs = ["https://app.example/kakao"]
        /// The registered bundle identifiers. A token request that names another one is refused with KOE009.
        public var bundleIDs = ["com.example.authstreams"]
        /// Whether OpenID Connect is enabled, so that there are ID tokens.
        public var isOpenIDEnabled = true
        /// The consents that the console offers, beside `openid`.
        public var scopes: Set<String> = ["profile_nickname", "profile_image", "account_email"]
        /// Those of ``scopes`` that the console requires: a person can only agree to them or not log in.
        public var requiredScopes: Set<String> = ["profile_nickname"]
        /// Where Kakao reports that a person's link to the app has ended, other than by the app's own call; `nil` for no report.
        public var unlinkWebhook: String?
        /// How the console says to call ``unlinkWebhook``: GET with a query, or POST with a form.
        public var unlinkWebhookMethod = AuthHTTPRequest.Method.post
        /// Another app, whose access tokens are valid at Kakao and must not be accepted elsewhere.
        package var otherAppID: Int64 = 7_654_321
        /// The native key of that other app.
        package var otherNativeAppKey = "ffffffffffffffffffffffffffffffff"
        /// The people with an account.
        public var users = [
            EmulatorUser(
                id: "1001", name: "김민지", email: "minji@kakao.example", pictureURL: "https://k.example/minji.jpg"),
            EmulatorUser(
                id: "1002", name: "Alex Morgan", email: "alex@kakao.example", pictureURL: "https://k.example/alex.jpg"),
        ]

        /// The app's native key, the first of them. It has no secret, and its redirect URI is `kakao{KEY}://oauth`.
        public var nativeAppKey: String {
            get { nativeAppKeys.first ?? "" }
            set { nativeAppKeys.replaceSubrange(0..<min(1, nativeAppKeys.count), with: [newValue]) }
        }

        /// The redirect URI of the first native key.
        package var nativeRedirectURI: String { "kakao\(nativeAppKey)://oauth" }

        /// Returns the app of a key, or `nil` for an unknown key.
        func appID(ofKey key: String) -> Int64? {
            keys(ofApp: appID).contains(key) ? appID : keys(ofApp: otherAppID).contains(key) ? otherAppID : nil
        }

        /// Whether a key is of an app. If not, the journal and the page say which ones are.
        func isKey(_ key: String) -> Bool {
            appID(ofKey: key) != nil
                || Mismatch.accepts(
                    "client_id", key, [restAPIKey] + nativeAppKeys, in: "kakao.restAPIKey", "kakao.nativeAppKeys")
        }

        func keys(ofApp app: Int64) -> Set<String> {
            app == appID ? Set(nativeAppKeys + [restAPIKey]) : app == otherAppID ? [otherNativeAppKey] : []
        }

        func redirectURIs(ofKey key: String) -> [String] {
            key == restAPIKey ? redirectURIs : ["kakao\(key)://oauth"]
        }
    }
}

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
        /// The items of the profile that the console requires: a person can only agree to them or not sign in.
        public var requiredItems: Set<String> = ["name"]
        /// The further items, which a person may refuse.
        public var additionalItems: Set<String> = ["nickname", "email", "profile_image", "age", "gender"]
        /// Where Naver reports that a person has ended their link to the app or left Naver; `nil` for no report.
        public var unlinkCallback: String?
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
