public import AuthStreams
public import AuthStreamsFirebase

extension EmulatorConfiguration {
    /// The project whose Identity Toolkit, Secure Token and functions are emulated.
    public struct Firebase: Sendable {
        /// The project's identifier.
        public var projectID = "authstreams-demo"
        /// The project's number, which Secure Token calls `project_id`.
        package var projectNumber = "100100100100"
        /// The key that its REST API requires.
        public var apiKey = "emulator-api-key"
        /// The service account that signs the custom tokens of its functions.
        public var serviceAccount = "firebase-adminsdk@authstreams-demo.iam.gserviceaccount.com"
        /// The providers that `signInWithIdp` takes.
        public var enabledProviders: Set<ProviderID> = [.apple, .google]
        /// Whether sign-ups and sign-ins by a password are allowed.
        public var allowsPasswords = true
        /// Whether sign-ins by a mail link are allowed.
        public var allowsMailLinks = true
        /// Whether users may enrol an authenticator app.
        public var allowsAuthenticatorApps = true
        /// Whether no answer tells who has an account, as in new projects of production.
        public var protectsAddresses = true
        /// The domains at which the link of a mail may continue, beside localhost and the project's own.
        public var authorizedDomains: Set<String> = ["app.example"]
        /// Whether its tokens are signed, as production's are. The public emulator's are not, and Admin SDKs that were told of an
        /// emulator (`FIREBASE_AUTH_EMULATOR_HOST`) take no other. Without signatures the project also accepts unsigned tokens.
        public var signsTokens = true
        /// Whether anonymous users are allowed.
        public var allowsAnonymousUsers = true
        /// Whether each refresh returns another refresh token. Production may; the old one stays valid either way.
        public var rotatesRefreshTokens = false
        /// How recent a sign-in has to be to unlink an identity; `nil` for any age, as in production.
        public var recentSignInToUnlink: Duration?
        /// The region of its functions.
        public var region = "asia-northeast3"
        /// The name of the function that turns a Kakao or Naver credential into a custom token.
        public var function = "socialLogin"
        /// Further URLs of that function, such as `https://api.example/socialLogin` of a domain of its own, or the
        /// `https://sociallogin-abcdefghij-du.a.run.app` of a second-generation one.
        public var functionURLs: [String] = []
        /// The format of that function. It refuses any other field. The revocation function reads the same fields.
        public var functionFormat = SocialLoginFunction.Format.standard
        /// The name of the function that revokes a sign-in's access at the provider.
        public var revocationFunction = "revokeSocialLogin"
        /// The name of the function that ends all sessions of its caller.
        public var sessionRevocationFunction = "revokeSessions"
        /// The bundle identifiers that the API key is restricted to. Empty: it is not.
        ///
        /// Production asks for none at functions, which have no API key; the emulated ones do, as their own first check.
        public var requiredBundleIDs: Set<String> = []
        /// The valid App Check tokens. Empty: App Check is not enforced.
        public var appCheckTokens: Set<String> = []

        /// The host of the pages behind the links of its mails, such as `authstreams-demo.firebaseapp.com`.
        public var actionHost: String { "\(projectID).firebaseapp.com" }

        /// The host of its functions, such as `asia-northeast3-authstreams-demo.cloudfunctions.net`.
        public var functionsHost: String { "\(region)-\(projectID).cloudfunctions.net" }
    }
}

extension EmulatorConfiguration.Firebase {
    /// The endpoint of the function that turns a Kakao or Naver credential into a custom token.
    public var functionEndpoint: EmulatorEndpoint { EmulatorEndpoint(host: functionsHost, path: "/\(function)") }

    /// The endpoint of the revocation function.
    public var revocationEndpoint: EmulatorEndpoint {
        EmulatorEndpoint(host: functionsHost, path: "/\(revocationFunction)")
    }

    /// The endpoint of the function that ends all sessions of its caller.
    public var sessionRevocationEndpoint: EmulatorEndpoint {
        EmulatorEndpoint(host: functionsHost, path: "/\(sessionRevocationFunction)")
    }
}

extension EmulatorEndpoint {
    /// Identity Toolkit's sign-in with a provider's ID token.
    public static let signInWithIdP: Self = "identitytoolkit.googleapis.com/v1/accounts:signInWithIdp"
    /// Identity Toolkit's sign-in with a custom token.
    public static let signInWithCustomToken: Self = "identitytoolkit.googleapis.com/v1/accounts:signInWithCustomToken"
    /// Identity Toolkit's look-up of an ID token's user.
    public static let accountLookup: Self = "identitytoolkit.googleapis.com/v1/accounts:lookup"
    /// Identity Toolkit's sign-in with a password.
    public static let signInWithPassword: Self = "identitytoolkit.googleapis.com/v1/accounts:signInWithPassword"
    /// Identity Toolkit's sign-in with a mail link.
    public static let signInWithEmailLink: Self = "identitytoolkit.googleapis.com/v1/accounts:signInWithEmailLink"
    /// Identity Toolkit's mails.
    public static let sendOobCode: Self = "identitytoolkit.googleapis.com/v1/accounts:sendOobCode"
    /// Identity Toolkit's second factor of a sign-in.
    public static let secondFactorSignIn: Self = "identitytoolkit.googleapis.com/v2/accounts/mfaSignIn:finalize"
    /// Identity Toolkit's creation of anonymous users, and of users with a password.
    public static let anonymousSignUp: Self = "identitytoolkit.googleapis.com/v1/accounts:signUp"
    /// Identity Toolkit's change of an account, such as removing an identity.
    public static let accountUpdate: Self = "identitytoolkit.googleapis.com/v1/accounts:update"
    /// Identity Toolkit's revocation of Apple's tokens.
    public static let appleRevocation: Self = "identitytoolkit.googleapis.com/v2/accounts:revokeToken"
    /// Identity Toolkit's deletion of an account.
    public static let accountDeletion: Self = "identitytoolkit.googleapis.com/v1/accounts:delete"
    /// Secure Token's refresh of a session.
    public static let secureToken: Self = "securetoken.googleapis.com/v1/token"
}

/// The project's checks of an app before any other: a bundle identifier, an App Check token.
struct AppRestrictions {
    private let project: EmulatorConfiguration.Firebase
    private let bundleID: String?
    private let appCheckToken: String?

    init(of request: EmulatorRequest, in context: EmulatorContext) {
        project = context.configuration.firebase
        bundleID = request.header("X-Ios-Bundle-Identifier")
        appCheckToken = request.header("X-Firebase-AppCheck")
    }

    var allowsBundleID: Bool {
        project.requiredBundleIDs.isEmpty
            || Mismatch.accepts(
                "X-Ios-Bundle-Identifier", bundleID, project.requiredBundleIDs.sorted(),
                in: "firebase.requiredBundleIDs")
    }

    /// A missing token and an invalid one give the same error.
    var allowsAppCheckToken: Bool {
        project.appCheckTokens.isEmpty || appCheckToken.map(project.appCheckTokens.contains) == true
            || Mismatch.accepts(
                "X-Firebase-AppCheck", secret: appCheckToken, project.appCheckTokens.min(),
                in: "firebase.appCheckTokens")
    }

    /// As Identity Toolkit and Secure Token check: first the key's restriction, then App Check.
    func check() throws(IdentityToolkitError) {
        guard allowsBundleID else {
            throw .blockedBundleID(bundleID, consumer: "projects/\(project.projectNumber)")
        }
        guard allowsAppCheckToken else { throw .invalidAppCheckToken }
    }
}

extension IdentityToolkitError {
    /// The error for a bundle identifier that the API key is not for.
    fileprivate static func blockedBundleID(_ bundleID: String?, consumer: String) -> Self {
        var error = Self(
            httpStatus: 403,
            message: "Requests from this iOS client application \(bundleID ?? "<empty>") are blocked.",
            reason: "forbidden", status: "PERMISSION_DENIED")
        error.details = [
            [
                "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_IOS_APP_BLOCKED",
                "domain": "googleapis.com",
                "metadata": ["service": "identitytoolkit.googleapis.com", "consumer": .string(consumer)],
            ]
        ]
        return error
    }

    /// The error for a missing or invalid App Check token, if App Check is enforced.
    fileprivate static let invalidAppCheckToken = Self(
        httpStatus: 401, message: "Firebase App Check token is invalid.", reason: "unauthorized",
        status: "UNAUTHENTICATED")
}
