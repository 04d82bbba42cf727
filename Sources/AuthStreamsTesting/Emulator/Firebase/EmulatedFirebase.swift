import AuthStreams
import Foundation
import LoopbackHTTP

extension Emulator {
    /// The users of the emulated Firebase project, and its console.
    public var firebase: EmulatedFirebase {
        EmulatedFirebase(
            accounts: router.world.service(EmulatedIdentityToolkit.self)?.accounts ?? Lock(FirebaseAccounts()),
            clock: configuration.clock)
    }
}

/// The console of an emulated Firebase project; see ``Emulator/firebase``.
public struct EmulatedFirebase: Sendable {
    let accounts: Lock<FirebaseAccounts>
    let clock: AuthClock

    /// Every user, the oldest first.
    public var users: [FirebaseAccount] { accounts.withLock { $0.all } }

    /// Returns the user of a uid.
    public subscript(uid: String) -> FirebaseAccount? { accounts.withLock { $0[uid] } }

    /// Disables a user: signing in and refreshing end with `USER_DISABLED`.
    ///
    /// - Returns: `false` if there is no such user. The same applies to the other methods.
    @discardableResult
    public func disable(_ uid: String) -> Bool { accounts.withLock { $0.update(uid) { $0.isDisabled = true } } }

    /// Enables a user again.
    @discardableResult
    public func enable(_ uid: String) -> Bool { accounts.withLock { $0.update(uid) { $0.isDisabled = false } } }

    /// Gives a user another name, as the Admin SDK does.
    @discardableResult
    public func rename(_ uid: String, to name: String) -> Bool {
        accounts.withLock { $0.update(uid) { $0.displayName = name } }
    }

    /// Enrols an authenticator app for a user.
    ///
    /// A sign-in by a password, a mail link, Apple or Google then ends with `mfaPendingCredential` and no tokens. Firebase asks for
    /// no second factor at a custom token, so the function makes none.
    ///
    /// - Returns: The app, which shows the codes; `nil` if there is no such user.
    @discardableResult
    public func enrollAuthenticatorApp(for uid: String) -> AuthenticatorApp? {
        let factor = FirebaseAccount.SecondFactor(
            id: "totp-\(uid)", name: "Authenticator", secret: AuthenticatorApp.makeSecret(), enrolledAt: clock.date)
        return accounts.withLock { $0.update(uid) { $0.secondFactors = [factor] } } ? factor.app : nil
    }

    /// Enrols a second factor for a user; see ``enrollAuthenticatorApp(for:)``.
    @discardableResult
    public func enrollSecondFactor(for uid: String) -> Bool { enrollAuthenticatorApp(for: uid) != nil }

    /// Removes the second factor of a user.
    @discardableResult
    package func withdrawSecondFactor(of uid: String) -> Bool {
        accounts.withLock { $0.update(uid) { $0.secondFactors = [] } }
    }

    /// Deletes a user: refreshing ends with `USER_NOT_FOUND`.
    @discardableResult
    public func delete(_ uid: String) -> Bool { accounts.withLock { $0.remove(uid) } }

    /// Ends every session of a user: refreshing ends with `TOKEN_EXPIRED`.
    ///
    /// ID tokens that were issued in an earlier second are invalid, too.
    @discardableResult
    public func revokeRefreshTokens(of uid: String) -> Bool {
        let now = clock.date
        return accounts.withLock { $0.revokeSessions(of: uid, now: now) }
    }

    /// Marks the user's address as verified, as if they had opened the link of a mail.
    @discardableResult
    public func verifyEmail(of uid: String) -> Bool {
        accounts.withLock { $0.update(uid) { $0.isEmailVerified = true } }
    }
}

extension EmulatorServices {
    /// Makes the services of a Firebase project, which share its users.
    static func firebase(for configuration: EmulatorConfiguration) -> [any EmulatorService] {
        let accounts = Lock(FirebaseAccounts(protectsAddresses: configuration.firebase.protectsAddresses))
        return [
            EmulatedIdentityToolkit(accounts: accounts), FirebaseControl(accounts: accounts), FirebaseKeys(),
            FirebaseMailbox(hosts: [configuration.firebase.actionHost], accounts: accounts),
            SocialLogin(addresses: FunctionAddresses(of: configuration.firebase), accounts: accounts),
            SocialRevocation(hosts: [configuration.firebase.functionsHost], accounts: accounts),
            AppleNotificationEndpoint(host: configuration.firebase.functionsHost, accounts: accounts),
            SessionRevocation(hosts: [configuration.firebase.functionsHost], accounts: accounts),
        ]
    }
}

/// The public keys with which servers verify ID tokens and session cookies.
struct FirebaseKeys: EmulatorService {
    let hosts = ["www.googleapis.com", EmulatedIdentityToolkit.host]

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        let (keys, cookieKeys) = (FirebaseTokens.keyHost, FirebaseTokens.cookieKeyHost)
        return switch request.endpoint {
        case "GET /service_accounts/v1/jwk/\(keys)": .keys(context.signer.keySet(host: keys))
        case "GET /robot/v1/metadata/x509/\(keys)": .keys(context.signer.certificates(host: keys))
        case "GET /v1/sessionCookiePublicKeys": .keys(context.signer.keySet(host: cookieKeys))
        case "GET /identitytoolkit/v3/relyingparty/publicKeys": .keys(context.signer.certificates(host: cookieKeys))
        default: nil
        }
    }
}

extension LoopbackResponse {
    /// Public keys, which readers keep for an hour.
    static func keys(_ keys: AuthJSON) -> Self {
        var response = Self.json(keys)
        response.headers = [("Content-Type", "application/json"), ("Cache-Control", "public, max-age=3600")]
        return response
    }
}

extension AppleNotificationEndpoint {
    /// The project's function, which writes the custom claim `revokedAtProvider`. It ends the sessions of sign-ins before the
    /// change.
    init(host: String, accounts: Lock<FirebaseAccounts>) {
        self.init(hosts: [host], path: "/appleNotifications") { notification in
            accounts.withLock { $0.endAccess(by: notification) }
        }
    }
}

extension FirebaseAccounts {
    fileprivate mutating func endAccess(by notification: AppleNotification) {
        let apple = ProviderID.apple.rawValue
        guard let account = account(providerID: apple, rawID: notification.userID) else { return }
        _ = update(account.id) { account in
            // A notification that comes late does not move an earlier date back.
            account.revocations[apple] = max(notification.date, account.revocations[apple] ?? .distantPast)
        }
    }
}
