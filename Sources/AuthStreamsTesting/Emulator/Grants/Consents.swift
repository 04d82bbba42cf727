import AuthStreams
import Foundation

/// What people have agreed to, kept for each link between a person and an app.
struct Consents: Sendable {
    /// Identifies a link.
    struct LinkID: Hashable, Sendable {
        let issuer: Grant.Issuer
        /// What a person links to: Kakao's app number, Google's project number, elsewhere the client.
        let app: String
        let userID: String

        fileprivate var key: String { "\(appKey) \(userID)" }
        fileprivate var appKey: String { Consents.key(ofApp: app, at: issuer) }
    }

    /// A person's link to an app.
    struct Link: Sendable {
        let id: LinkID
        /// When the person agreed for the first time, or for the first time after the link was ended.
        let since: Date
        /// The scopes that the person has agreed to.
        var agreed: Set<String> = []
        /// The scopes that the person was asked for, and left out.
        var refused: Set<String> = []
        /// Whether a user API has succeeded for the person since then.
        var isLookedUp = false
        /// Apple: whether the person has chosen an address of the relay.
        var hidesEmail = false

        /// Withdraws the agreement to some scopes.
        mutating func withdraw(_ scopes: Set<String>) {
            refused.formUnion(agreed.intersection(scopes))
            agreed.subtract(scopes)
        }
    }

    /// Which scopes of a request a page asks for. No page asks for `openid`, which shares nothing.
    enum Question: Sendable {
        /// Those that the person has not agreed to.
        case missing
        /// Those that the person has neither agreed to nor left out.
        case unanswered
        /// All of them again. Those that the person has left out before are then unchecked.
        case everything
    }

    private var links = KeyedStore<Link>("link", limit: EmulatorLimit.tokens) { [$0.id.appKey] }

    /// A person's link; `nil` for none.
    subscript(id: LinkID) -> Link? {
        get { links[id.key] }
        set { links[id.key] = newValue }
    }

    /// Every link, the oldest first.
    var all: [Link] { links.all }

    /// The links to an app, the oldest first.
    func links(to app: String, at issuer: Grant.Issuer) -> [Link] { links.all(named: Self.key(ofApp: app, at: issuer)) }

    private static func key(ofApp app: String, at issuer: Grant.Issuer) -> String { "\(issuer.rawValue) \(app)" }

    /// Records what a person has chosen, and begins their link if there is none.
    ///
    /// - Returns: Whether it has begun one: the person agrees for the first time, or again after a withdrawal.
    mutating func record(_ grant: Grant, as id: LinkID, at now: Date) -> Bool {
        let known = self[id]
        var link = known ?? Link(id: id, since: now)
        link.agreed = link.agreed.subtracting(grant.refused).union(grant.scopes)
        link.refused = link.refused.subtracting(grant.scopes).union(grant.refused)
        self[id] = link
        return known == nil
    }

    /// Returns the scopes of a request that a page has to ask a person for.
    func items(of scopes: Set<String>, _ question: Question = .missing, _ id: LinkID) -> Set<String> {
        let (link, askable) = (self[id], scopes.subtracting(["openid"]))
        switch question {
        case .missing: return askable.subtracting(link?.agreed ?? [])
        case .unanswered: return askable.subtracting(link.map { $0.agreed.union($0.refused) } ?? [])
        case .everything: return askable
        }
    }
}

extension EmulatorConfiguration {
    /// What a person has agreed to.
    struct Consent: Hashable, Sendable {
        var provider = Grant.Issuer.apple
        /// What the person is linked to; empty for the app of the configuration.
        var app = ""
        var user = ""
        var scopes: Set<String> = []
        /// What the person was asked for, and left out.
        var refused: Set<String> = []
    }

    /// The app that people agree to unless a consent names another one.
    fileprivate func app(at issuer: Grant.Issuer) -> String {
        switch issuer {
        case .apple: apple.bundleID
        case .google: String(google.web.project)
        case .kakao: "\(kakao.appID)"
        case .naver: naver.clientID
        case .openID: self.issuer.clientID
        }
    }
}

extension Consents {
    /// The links as a configuration has them.
    var settings: [EmulatorConfiguration.Consent] {
        all.map { link in
            EmulatorConfiguration.Consent(
                provider: link.id.issuer, app: link.id.app, user: link.id.userID, scopes: link.agreed,
                refused: link.refused)
        }
    }

    /// Applies the difference of two lists, and keeps what a configuration does not say of a link.
    mutating func replace(
        _ known: [EmulatorConfiguration.Consent], by consents: [EmulatorConfiguration.Consent],
        in configuration: EmulatorConfiguration
    ) {
        func id(of consent: EmulatorConfiguration.Consent) -> LinkID {
            let app = consent.app.isEmpty ? configuration.app(at: consent.provider) : consent.app
            return LinkID(issuer: consent.provider, app: app, userID: consent.user)
        }
        for id in Set(known.map(id)).subtracting(consents.map(id)) { self[id] = nil }
        for consent in consents where !known.contains(consent) {
            let id = id(of: consent)
            var link = self[id] ?? Link(id: id, since: configuration.clock.date)
            (link.agreed, link.refused) = (consent.scopes, consent.refused)
            self[id] = link
        }
    }
}

extension EmulatorContext {
    /// Returns the link of a person to the app of a client.
    func link(of userID: String, by clientID: String, at issuer: Grant.Issuer) -> Consents.LinkID {
        let app =
            switch issuer {
            case .google: String(clientID.prefix { $0 != "-" })
            case .kakao: configuration.kakao.appID(ofKey: clientID).map { "\($0)" } ?? clientID
            case .apple, .naver, .openID: clientID
            }
        return Consents.LinkID(issuer: issuer, app: app, userID: userID)
    }

    /// Returns the link that a grant belongs to.
    func link(of grant: Grant) -> Consents.LinkID { link(of: grant.userID, by: grant.clientID, at: grant.issuer) }
}
