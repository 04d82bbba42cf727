public import AuthStreams
import Foundation
import LoopbackHTTP

extension Emulator {
    /// The users of the app's own server, and its back office.
    public var server: EmulatedServer {
        EmulatedServer(
            state: router.world.service(EmulatedAPI.self)?.state ?? Lock(ServerState()), clock: configuration.clock)
    }
}

extension Emulator {
    /// The newest 1024 mails and text messages that the app's own server has sent, in order. A page lists them, too.
    public var messages: [EmulatedMessage] { server.state.withLock { $0.challenges.messages.all } }
}

/// The back office of the app's own emulated server; see ``Emulator/server``.
public struct EmulatedServer: Sendable {
    let state: Lock<ServerState>
    let clock: AuthClock

    /// Every user, the oldest first.
    public var users: [ServerAccount] { state.withLock { $0.accounts.all } }

    /// Returns the user of an identifier.
    public subscript(id: String) -> ServerAccount? { state.withLock { $0.accounts[id] } }

    /// Disables a user: signing in and refreshing end with `user-disabled`.
    ///
    /// - Returns: `false` if there is no such user. The same applies to the other methods.
    @discardableResult
    public func disable(_ id: String) -> Bool { state.withLock { $0.accounts.update(id) { $0.isDisabled = true } } }

    /// Enables a user again.
    @discardableResult
    public func enable(_ id: String) -> Bool { state.withLock { $0.accounts.update(id) { $0.isDisabled = false } } }

    /// Gives a user another name, which a reload shows.
    @discardableResult
    public func rename(_ id: String, to name: String) -> Bool {
        state.withLock { $0.accounts.update(id) { $0.displayName = name } }
    }

    /// Deletes a user: refreshing ends with `user-not-found`.
    @discardableResult
    public func delete(_ id: String) -> Bool { state.withLock { $0.accounts.remove(id) } }

    /// Sets the server's own claims about a user, which each answer with a session repeats.
    @discardableResult
    public func setClaims(_ claims: [String: AuthJSON], of id: String) -> Bool {
        state.withLock { $0.accounts.update(id) { $0.claims = claims } }
    }

    /// Ends every session of a user: refreshing ends with `session-revoked`, and access tokens are refused.
    @discardableResult
    public func revokeSessions(of id: String) -> Bool {
        state.withLock { state in
            state.sessions.endAll(of: id, .revoked)
            return state.accounts[id] != nil
        }
    }

    /// Ends the sessions that began with a provider, as if it had reported that the person withdrew the app's access
    /// there. Refreshing them ends with `revoked-at-provider`.
    @discardableResult
    public func noteRevocation(at provider: ProviderID, by id: String) -> Bool {
        state.withLock { state in
            state.sessions.endAll(of: id, from: provider, .revokedAtProvider)
            return state.accounts[id] != nil
        }
    }

    /// Returns the number of a user's sessions that neither the person nor the server has ended.
    ///
    /// Deleting a user ends their sessions.
    public func sessionCount(of id: String) -> Int {
        state.withLock { $0.accounts[id] == nil ? 0 : $0.sessions.count(of: id) }
    }

    /// Returns whether this access token is accepted now: it is known, not expired, and its session has not ended.
    public func accepts(accessToken: Secret) -> Bool {
        state.withLock { $0.sessions.family(accessToken: accessToken.reveal(), now: clock.date) != nil }
    }

    // MARK: Steps

    /// Adds a second factor to a user: codes that are sent to a phone number or an address. Each sign-in and each re-authentication
    /// then wants one. An authenticator app is added by the person, by `AuthService.enrollSecondFactor(named:)`.
    @discardableResult
    public func addFactor(to id: String, kind: String = "sms", at destination: String, named name: String? = nil)
        -> Bool
    {
        state.withLock { state in
            guard state.accounts[id] != nil else { return false }
            state.factors[id, default: []].append(ServerFactor(kind, name: name, .sentCode(to: destination)))
            return true
        }
    }

    /// Lets the next sign-in of a user want a step that the app does not know, with a page.
    @discardableResult
    public func require(step name: String, of id: String) -> Bool {
        state.withLock { state in
            state.steps[id] = name
            return state.accounts[id] != nil
        }
    }

    /// Sets a user's password, as a person does who follows the mail for a new one. Their sessions end.
    @discardableResult
    public func setPassword(_ password: String, of id: String) -> Bool {
        state.withLock { state in
            guard let email = state.accounts[id]?.email else { return false }
            state.setPassword(password, of: id, email)
            state.sessions.endAll(of: id, .revoked)
            return true
        }
    }

    /// Confirms a user's address, as a person does who follows the mail.
    @discardableResult
    public func verifyEmail(of id: String) -> Bool {
        state.withLock { $0.accounts.update(id) { $0.isEmailVerified = true } }
    }

    // MARK: What was refreshed

    /// The newest 2048 refreshes that reached the server, in order, with their results. A request that a fault answered in the
    /// server's place did not reach it; one whose answer a fault lost did.
    public var refreshes: [ServerRefresh] { state.withLock { $0.refreshes.all } }

    /// Returns how often that refresh token was sent.
    public func refreshCount(of token: Secret) -> Int { state.withLock { $0.refreshes.count(of: token) } }

    /// The refreshes with a token that was sent before: none, unless an answer was lost.
    public var repeatedRefreshes: [ServerRefresh] { refreshes.filter { $0.use > 1 } }
}

extension EmulatorServices {
    /// The app's own server.
    static var server: [any EmulatorService] {
        let state = Lock(ServerState())
        return [EmulatedAPI(state: state), AppleNotificationEndpoint(state: state), ServerMailbox(state: state)]
    }
}

/// The list of the messages that the app's own server has sent.
struct ServerMailbox: EmulatorService {
    static let path = "/emulator/messages"

    let hosts = [EmulatorConfiguration.Server.host]
    let state: Lock<ServerState>

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        guard request.endpoint == "GET \(Self.path)" else { return nil }
        return SentMessagesPage.response("Messages of the app's server", state.withLock { $0.challenges.messages.all })
    }
}

extension AppleNotificationEndpoint {
    /// The endpoint of the app's own server.
    init(state: Lock<ServerState>) {
        self.init(hosts: [EmulatorConfiguration.Server.host], path: "/auth/apple/notifications") { notification in
            state.withLock { $0.endAccess(by: notification) }
        }
    }
}

extension ServerState {
    /// A notification may come late or twice. So it ends the sessions that began before the change, and no later one.
    fileprivate mutating func endAccess(by notification: AppleNotification) {
        guard let owner = accounts.owner(of: notification.userID, at: .apple) else { return }
        // Its time has whole milliseconds, so a session that began within this one may be older.
        sessions.endAll(of: owner.id, from: .apple, until: notification.date + 0.001, .revokedAtProvider)
        guard notification.event.isDeletion else { return }
        _ = accounts.update(owner.id) { account in account.identities.removeAll { $0.id == .apple } }
    }
}
