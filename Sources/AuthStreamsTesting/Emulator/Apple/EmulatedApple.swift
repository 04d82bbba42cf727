import AuthStreams
public import Foundation
import LoopbackHTTP

/// The settings of the emulated Apple Accounts; see ``Emulator/apple``.
///
/// Each change is reported to ``EmulatorConfiguration/Apple/notificationURLs``. A person makes the same changes on the
/// page `https://appleid.apple.com/emulator/account`.
public struct EmulatedApple: Sendable {
    let context: EmulatorContext

    /// Lets a person stop using Sign in with Apple for the app.
    ///
    /// Apple's tokens of that person are revoked, and their next sign-in is a first one again.
    ///
    /// - Returns: The statuses of the answers, as ``send(_:fault:)`` does.
    @discardableResult
    public func revokeConsent(of userID: String) async -> [Int?] {
        await make(.consentRevoked, of: userID)
    }

    /// Lets a person delete their Apple Account. The emulated person can make it again, under the same identifier.
    ///
    /// - Returns: The statuses of the answers, as ``send(_:fault:)`` does.
    @discardableResult
    public func deleteAccount(of userID: String) async -> [Int?] {
        await make(.accountDeleted, of: userID)
    }

    /// Makes a change and reports it.
    func make(_ event: AppleNotification.Event, of userID: String) async -> [Int?] {
        let app = context.configuration.apple
        for client in event.endsAccess ? [app.servicesID, app.bundleID] : [] {
            context.grants.revokeAll(of: context.link(of: userID, by: client, at: .apple))
        }
        return await send(AppleNotification(event, of: userID, at: context.now))
    }

    /// Reports a change, and changes nothing itself: late, twice, or about a person whom the app does not know.
    ///
    /// - Parameters:
    ///   - notification: The change.
    ///   - fault: How its token is invalid, such as `.wrongSignature`. Faults that are not about tokens do nothing.
    /// - Returns: The status of each address's answer, in the order of the configuration; `nil` where there was none.
    @discardableResult
    public func send(_ notification: AppleNotification, fault: EmulatorFault? = nil) async -> [Int?] {
        let (body, addresses) = (
            notification.body(fault: fault?.token, in: context), context.configuration.apple.notificationURLs
        )
        return await withTaskGroup(of: (Int, Int?).self) { calls in
            for (number, address) in addresses.enumerated() {
                calls.addTask { (number, await context.send(to: address, json: body)) }
            }
            return await calls.reduce(into: addresses.map { _ in nil }) { $0[$1.0] = $1.1 }
        }
    }
}

/// A change of a person's account that Apple reports to an app's server.
///
/// Apple documents the events, the claims and their types at
/// <https://developer.apple.com/documentation/signinwithapple/processing-changes-for-sign-in-with-apple-accounts>.
public struct AppleNotification: Hashable, Sendable {
    /// What happened.
    public struct Event: RawRepresentable, Hashable, Sendable {
        /// Apple's name of the event.
        public let rawValue: String
        /// Makes an event.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Mail to the relay address reaches the person again.
        public static let emailEnabled = Self(rawValue: "email-enabled")
        /// Mail to the relay address no longer reaches the person.
        public static let emailDisabled = Self(rawValue: "email-disabled")
        /// The person stopped using Sign in with Apple for the app.
        public static let consentRevoked = Self(rawValue: "consent-revoked")
        /// The person deleted their Apple Account, as Apple's page calls it.
        public static let accountDeleted = Self(rawValue: "account-deleted")
        /// The same, as servers have received it.
        public static let accountDelete = Self(rawValue: "account-delete")

        /// Whether the app may no longer use the account.
        var endsAccess: Bool { self == .consentRevoked || isDeletion }
        /// Whether the account is gone.
        var isDeletion: Bool { self == .accountDeleted || self == .accountDelete }
    }

    /// What happened.
    package var event: Event
    /// Apple's identifier of the person, the ID token's `sub`.
    package var userID: String
    /// When it happened.
    package var date: Date
    /// The client that it is for; the app's bundle identifier unless given.
    package var clientID: String?
    /// The identifier of the token, the claim `jti`. A notification that is sent twice has the same one.
    package let id = UUID()

    /// Describes a change.
    public init(_ event: Event, of userID: String, at date: Date, for clientID: String? = nil) {
        self.event = event
        self.userID = userID
        self.date = date
        self.clientID = clientID
    }
}

extension AppleNotification {
    /// The body that Apple posts: an object with the signed token as its member `payload`.
    func body(fault: EmulatorFault.Token?, in context: EmulatorContext) -> AuthJSON {
        var event: [String: AuthJSON] = [
            "type": .string(self.event.rawValue), "sub": .string(userID),
            "event_time": .integer(Int64((date.timeIntervalSince1970 * 1000).rounded(.down))),
        ]
        if [.emailEnabled, .emailDisabled].contains(self.event),
            let user = context.configuration.apple.users.first(where: { $0.id == userID })
        {
            event.add("email", context.sharedEmail(of: user)?.address)
            event["is_private_email"] = "true"
        }
        let token = context.signer.idToken(
            [
                "iss": .string(context.issuer(AppleAccount.issuer)),
                "aud": .string(clientID ?? context.configuration.apple.bundleID),
                "iat": .seconds(context.now), "exp": .seconds(context.now + 86_400), "jti": .string(id.uuidString),
                // A JSON text inside the token, as servers have received it.
                "events": .string(String(decoding: AuthJSON.object(event).data, as: UTF8.self)),
            ], host: AppleAccount.host, fault: fault)
        return ["payload": .string(token)]
    }
}

/// An endpoint of an app's server that Apple reports changes of accounts to.
struct AppleNotificationEndpoint: EmulatorService {
    let hosts: [String]
    let path: String
    /// What the server does when the app may no longer use an account.
    let endAccess: @Sendable (AppleNotification) -> Void

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        guard request.path == path else { return nil }
        return request.taking("POST") {
            guard let notification = try? AppleNotification(request, in: context) else {
                return LoopbackResponse(status: 400)
            }
            if notification.event.endsAccess { endAccess(notification) }
            // Anything else would be sent again.
            return LoopbackResponse(status: 200)
        }
    }
}
