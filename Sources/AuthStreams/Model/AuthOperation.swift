/// What the app asked the service for. New operations may be added.
public struct AuthOperation: RawRepresentable, Hashable, Sendable, Codable {
    /// The operation's name.
    public let rawValue: String

    /// Makes an operation, for an app that reports its own by ``AuthError``.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A person signs in.
    public static let signIn = Self(rawValue: "signIn")
    /// A session of another SDK is adopted.
    public static let adoption = Self(rawValue: "adoption")
    /// The app asks for an access token, or sends a request with it.
    public static let request = Self(rawValue: "request")
    /// The server is asked for the user.
    public static let reload = Self(rawValue: "reload")
    /// The name or the picture changes.
    public static let profile = Self(rawValue: "profile")
    /// An identity is added.
    public static let link = Self(rawValue: "link")
    /// An identity is removed.
    public static let unlink = Self(rawValue: "unlink")
    /// The person proves their identity again.
    public static let reauthentication = Self(rawValue: "reauthentication")
    /// The account is deleted.
    public static let deletion = Self(rawValue: "deletion")
    /// A new account is made.
    public static let signUp = Self(rawValue: "signUp")
    /// A mail is sent with which the person sets a new password.
    public static let passwordReset = Self(rawValue: "passwordReset")
    /// A mail is sent with which the person confirms their address.
    public static let emailVerification = Self(rawValue: "emailVerification")
    /// The password changes.
    public static let passwordChange = Self(rawValue: "passwordChange")
    /// A second factor is added.
    public static let enrollment = Self(rawValue: "enrollment")
    /// A second factor is removed.
    public static let factorRemoval = Self(rawValue: "factorRemoval")
    /// A passkey is removed.
    public static let passkeyRemoval = Self(rawValue: "passkeyRemoval")
    /// The person passes the ``SessionGate``.
    public static let unlock = Self(rawValue: "unlock")
    /// The session is ended on this device, or the issuer's log-out page is shown.
    public static let signOut = Self(rawValue: "signOut")
    /// The user's sessions are ended on all devices.
    public static let signOutEverywhere = Self(rawValue: "signOutEverywhere")

    /// All of the above.
    public static let allKnown: [Self] = [
        .signIn, .adoption, .request, .reload, .profile, .link, .unlink, .reauthentication, .deletion, .signUp,
        .passwordReset, .emailVerification, .passwordChange, .enrollment, .factorRemoval, .passkeyRemoval, .unlock,
        .signOut, .signOutEverywhere,
    ]
}
