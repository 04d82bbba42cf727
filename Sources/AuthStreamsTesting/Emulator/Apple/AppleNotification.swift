import AuthStreams
public import Foundation
import LoopbackHTTP

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
            let email = context.configuration.apple.users.first(where: { $0.id == userID })?.email
        {
            event["email"] = .string(email)
            event["is_private_email"] = "true"
        }
        let token = context.signer.idToken(
            [
                "iss": .string(context.served(AppleAccount.issuer)),
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
