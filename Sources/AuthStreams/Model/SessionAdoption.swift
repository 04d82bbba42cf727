import Foundation

/// Finds and discards the session of another SDK on this device.
///
/// ```swift
/// SessionAdoption(
///     find: { oldSDK.refreshToken.map { AdoptableSession(refreshToken: Secret($0)) } },
///     discard: { try oldSDK.signOut() })
/// ```
public struct SessionAdoption: Sendable {
    let find: @Sendable () async throws -> AdoptableSession?
    let discard: @Sendable () async throws -> Void

    /// Makes an adoption from two closures.
    ///
    /// - Parameters:
    ///   - find: Returns the session, or `nil` if there is none. Called if nothing was ever stored in the
    ///     library's own store. The state is restoring until it returns, so it must not take long. After
    ///     `storageLocked` it is called again when the device is unlocked. After any other error the state is signed
    ///     out, and it is called again with exponential backoff. Inside it, a call of the service that has to know the
    ///     user throws `misconfigured`.
    ///   - discard: Makes the other SDK forget its session on this device, without revoking it. Called once the library's
    ///     own store holds the session or the session is over. Called again, at the latest at the next launch,
    ///     if it threw, or until the library has noted that it returned.
    public init(
        find: @escaping @Sendable () async throws -> AdoptableSession?,
        discard: @escaping @Sendable () async throws -> Void = {}
    ) {
        self.find = find
        self.discard = discard
    }

    /// The manager that runs one of its closures in the calling task or in an ancestor of that.
    @TaskLocal static var caller: ObjectIdentifier?
}

/// A session that another SDK stored on this device, such as that of an earlier version of the app.
public struct AdoptableSession: Hashable, Sendable {
    /// The refresh token.
    public var refreshToken: Secret
    /// The session's user, if the other SDK knew it. The user is then signed in at once, also without a network.
    ///
    /// `OpenIDRepository`, of AuthStreamsOAuth, requires a user whose claim `iss` names the issuer that the token is sent to.
    public var user: AuthUser?
    /// The provider of the sign-in, if the other SDK knew it.
    public var provider: ProviderID?

    /// Makes a session from another SDK's refresh token.
    public init(refreshToken: Secret, user: AuthUser? = nil, provider: ProviderID? = nil) {
        self.refreshToken = refreshToken
        self.user = user
        self.provider = provider
    }
}
