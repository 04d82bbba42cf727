public import AuthStreams
public import Foundation

/// A mail or a text message that the app's emulated server or the emulated Supabase has sent; see ``Emulator/messages`` and
/// ``EmulatedSupabase/messages``.
public struct EmulatedMessage: Hashable, Sendable {
    /// What a message is for.
    public enum Kind: Hashable, Sendable {
        /// A code to enter.
        case code
        /// A link that signs in.
        case link
        /// The way to a new password. ``EmulatedServer/setPassword(_:of:)`` is what the person does there.
        case passwordReset
        /// The confirmation of an address. ``EmulatedServer/verifyEmail(of:)`` is what the person does there.
        case emailVerification
    }

    /// What it is for.
    public let kind: Kind
    /// The e-mail address or the phone number that it was sent to.
    public let recipient: String
    /// The code; `nil` if it has none.
    public let code: Secret?
    private let address: Secret?

    init(_ kind: Kind, to recipient: String, code: String? = nil, link: String? = nil) {
        self.kind = kind
        self.recipient = recipient
        self.code = code.map { Secret($0) }
        address = link.map { Secret($0) }
    }

    /// The link; `nil` if it has none.
    public var link: URL? { address.flatMap { URL(string: $0.reveal()) } }
}

extension EmulatedMessage: CustomStringConvertible, CustomReflectable {
    /// The kind, without the recipient and the code.
    public var description: String { "message \(kind)" }
    /// A mirror without children, because the recipient is personal and the code a secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The sign-ins and changes of the app's server that want a further step: rules without lock and without a clock.
struct ServerChallenges {
    /// A person who is about to sign in.
    struct Entry {
        let identity: VerifiedIdentity
        /// The user, once they are known.
        var userID: String?
        var isNew = false
        /// The steps that need not be asked again.
        var passed: Set<Gate> = []
        /// The password of the account that is made.
        var password: String?
        /// What the person entered in the form.
        var values: [String: String] = [:]
    }

    /// What stands between a person who is known and the session.
    enum Gate { case registration, factor, page }

    /// What happens after the step.
    enum Purpose {
        case entering(Entry, after: Gate?)
        case proving(user: String, family: String)
        case enrolling(user: String, ServerFactor)

        /// The user, as far as they are known.
        var user: String? {
            switch self {
            case .entering(let entry, _): entry.userID
            case .proving(let user, _), .enrolling(let user, _): user
            }
        }

        /// The user whose access token the answer has to have.
        var caller: String? {
            switch self {
            case .entering: nil
            case .proving(let user, _), .enrolling(let user, _): user
            }
        }
    }

    struct SentCode {
        let destination: String
        let code: String
        let validUntil: Date
        let resendableAt: Date
        let isFactor: Bool
    }

    enum Step {
        case code(SentCode)
        /// A code of the authenticator app that is the factor of that identifier.
        case appCode(of: String)
        /// The first code of an authenticator app.
        case enrollment(Secret, account: String)
        case factors([Challenge.Factor])
        case form
        case page(ticket: String, name: String)
    }

    struct Pending {
        var purpose: Purpose
        let step: Step
        let deadline: Date
        var attemptsLeft: Int
    }

    private var pending = KeyedStore<Pending>("challenge", limit: EmulatorLimit.signIns)
    /// The pages of steps, by their tickets, and whether the person has agreed.
    private var pages = KeyedStore<Bool>("page", limit: EmulatorLimit.signIns)
    /// The codes of links in mails, with their address and their end.
    private var links = KeyedStore<(email: String, deadline: Date)>("link", limit: EmulatorLimit.signIns)
    private(set) var messages = RecentList<EmulatedMessage>("message", limit: EmulatorLimit.signIns)

    // MARK: Steps

    /// Asks a step, and returns the answer with the challenge.
    mutating func ask(
        _ step: Step, for purpose: Purpose, by rules: EmulatorConfiguration.Server, now: Date, attemptsLeft: Int? = nil
    ) -> AuthJSON {
        let lifetime = rules.challengeLifetime
        let challenge = Pending(
            purpose: purpose, step: step, deadline: now + lifetime / .seconds(1),
            attemptsLeft: attemptsLeft ?? rules.codeAttempts)
        let token = keep(challenge)
        var members: [String: AuthJSON] = [
            "token": .string(token), "expiresIn": .integer(lifetime.components.seconds),
        ]
        let attemptsLeft = AuthJSON.integer(Int64(challenge.attemptsLeft))
        let details: [String: AuthJSON]
        switch step {
        case .code(let sent):
            details = [
                "kind": "code", "reason": sent.isFactor ? "secondFactor" : "verification", "length": 6,
                "destination": .string(sent.destination.masked), "attemptsLeft": attemptsLeft,
                "resendAfter": .integer(rules.resendAfter.components.seconds),
            ]
        case .appCode:
            details = ["kind": "code", "reason": "secondFactor", "length": 6, "attemptsLeft": attemptsLeft]
        case .enrollment(let secret, let account):
            let query = FormCoding.encode([("secret", secret.reveal()), ("issuer", "Pulseboard")])
            details = [
                "kind": "enrollment", "secret": .string(secret.reveal()), "length": 6, "attemptsLeft": attemptsLeft,
                "uri": .string("otpauth://totp/Pulseboard:\(FormCoding.escape(account))?\(query)"),
            ]
        case .factors(let factors): details = ["kind": "factors", "factors": .array(factors.map(\.json))]
        case .form:
            details = ["kind": "form", "reason": "registration", "fields": .array(rules.signUpFields.map(\.json))]
        case .page(let ticket, let name):
            members["needs"] = .string(name)
            members["page"] = .string("/auth/page?ticket=\(ticket)")
            members["callbackURL"] = .string(rules.pageCallback)
            return .object(members)
        }
        return ["challenge": .object(members.merging(details) { $1 })]
    }

    /// Sends a code.
    mutating func sendCode(
        to recipient: String, isFactor: Bool, by rules: EmulatorConfiguration.Server, now: Date
    ) -> Step {
        let code = String((0..<6).map { _ in "0123456789".randomElement() ?? "0" })
        send(EmulatedMessage(.code, to: recipient, code: code))
        return .code(
            SentCode(
                destination: recipient, code: code, validUntil: now + rules.codeLifetime / .seconds(1),
                resendableAt: now + rules.resendAfter / .seconds(1), isFactor: isFactor))
    }

    mutating func keep(_ challenge: Pending) -> String { pending.add(challenge, "ct-") }

    /// Returns the challenge of a token that still counts.
    mutating func challenge(of token: String, now: Date) throws(ServerProblem) -> Pending {
        guard let challenge = pending.find(token), challenge.deadline > now else {
            throw ServerProblem("challenge-expired", "The token is not known, was used, or is too old.")
        }
        return challenge
    }

    mutating func remove(_ token: String) { pending[token] = nil }

    // MARK: Mails and pages

    mutating func send(_ message: EmulatedMessage) { messages.append(message) }

    /// Sends a mail with a link to that URL.
    mutating func sendLink(to email: String, _ url: String, by rules: EmulatorConfiguration.Server, now: Date) {
        let code = links.add((email, now + rules.challengeLifetime / .seconds(1)), "ml-")
        send(EmulatedMessage(.link, to: email, link: "\(url)\(url.contains("?") ? "&" : "?")code=\(code)"))
    }

    /// Redeems the code of a link, once.
    mutating func redeemLink(_ code: String, of email: String, now: Date) throws(ServerProblem) {
        guard let link = links.find(code), link.email.lowercased() == email.lowercased(), link.deadline > now else {
            throw ServerProblem("invalid-credential", "The link is not of this address, was used, or is too old.")
        }
        links[code] = nil
    }

    /// The step of a page that the person has to agree on.
    mutating func page(named name: String) -> Step { .page(ticket: pages.add(false, "pt-"), name: name) }

    /// The person agrees on the page of a ticket.
    ///
    /// - Returns: `false` if there is no such page.
    mutating func agree(onPage ticket: String) -> Bool {
        guard pages.find(ticket) != nil else { return false }
        return pages.update(ticket) { $0 = true }
    }

    /// Returns whether the person has agreed on the page of a ticket, and returned by that URL.
    mutating func hasAgreed(onPage ticket: String, by callback: String) -> Bool {
        let items = URLComponents(string: callback)?.queryItems ?? []
        return items.first { $0.name == "ticket" }?.value == ticket && pages.find(ticket) ?? false
    }
}

extension String {
    /// An address as far as the server shows it: `a•••@example.com`, `•••5678`.
    fileprivate var masked: String {
        guard let at = firstIndex(of: "@") else { return "•••\(suffix(4))" }
        return "\(prefix(1))•••\(self[at...])"
    }
}

extension Challenge.Factor {
    var json: AuthJSON {
        var members: [String: AuthJSON] = ["id": .string(id), "kind": .string(kind)]
        members.add("name", name)
        return .object(members)
    }
}

extension Challenge.Field {
    fileprivate var json: AuthJSON {
        var members: [String: AuthJSON] = [
            "name": .string(id), "kind": .string(kind.rawValue), "required": .bool(isRequired),
        ]
        members.add("label", label)
        members.add("url", url?.absoluteString)
        return .object(members)
    }
}
