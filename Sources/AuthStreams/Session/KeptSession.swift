package import Foundation

/// A session as a process holds and stores it: which it is, how far it has come, and what it consists of.
package struct KeptSession: Hashable, Sendable {
    /// Indirect, since a decision holds several sessions and is copied at each of its steps.
    package indirect enum Content: Hashable, Sendable {
        case established(AuthSession)
        /// A session of another SDK that the server was not asked about yet.
        case adoptable(AdoptableSession)
    }

    /// Which session it is, and how far it has come. A record of a newer version of the library says at least this.
    package struct Stage: Codable, Hashable, Sendable {
        package let id: SessionID
        /// Counts the replacements of its refresh token.
        package var revision = 0
        /// Counts the access tokens that came after the first beside the same refresh token.
        package var renewal = 0
        /// Counts the changes of its user.
        package var edition = 0

        package init(id: SessionID, revision: Int = 0, renewal: Int = 0, edition: Int = 0) {
            (self.id, self.revision, self.renewal, self.edition) = (id, revision, renewal, edition)
        }

        /// How far its tokens have come. What came for a later refresh token is newer than each access token beside an earlier one.
        package var tokens: (revision: Int, renewal: Int) { (revision, renewal) }

        /// Whether it has the same refresh token.
        func hasRefreshToken(of other: Stage) -> Bool { id == other.id && revision == other.revision }
    }

    package var stage: Stage
    package var content: Content
    /// When its tokens were first written, by the device's clock; `nil` until they are.
    package var savedAt: Date?
    /// Whether its refresh token was sent, or is about to be, and the answer was not read.
    package var isSent = false
    /// Whether ``SessionAdoption/find`` returned it at a launch: it is older than every decision of the person.
    package var isFoundAtLaunch = false

    package init(
        _ content: Content, at stage: Stage, savedAt: Date? = nil, isSent: Bool = false, isFoundAtLaunch: Bool = false
    ) {
        (self.stage, self.content, self.savedAt) = (stage, content, savedAt)
        (self.isSent, self.isFoundAtLaunch) = (isSent, isFoundAtLaunch)
    }

    package var id: SessionID { stage.id }

    /// Whose it is; `nil` if another SDK did not say.
    @inline(never)  // Not repeated in each of its callers.
    package var user: AuthUser? {
        switch content {
        case .established(let session): session.user
        case .adoptable(let session): session.user
        }
    }

    package var userID: AuthUser.ID? { user?.id }

    /// The provider of its sign-in; `nil` if another SDK did not say.
    var provider: ProviderID? {
        switch content {
        case .established(let session): session.provider
        case .adoptable(let session): session.provider
        }
    }

    package var refreshToken: Secret? {
        switch content {
        case .established(let session): session.refreshToken
        case .adoptable(let session): session.refreshToken
        }
    }

    package var session: AuthSession? { if case .established(let session) = content { session } else { nil } }

    /// What the server is told of when it ends; `nil` if it is not known whose it is. Before an adoption its access token is empty;
    /// see ``AuthRepository/signOut(_:)``.
    var ended: AuthSession? {
        guard let adoptable, let user else { return session }
        return AuthSession(
            accessToken: Secret(""), refreshToken: adoptable.refreshToken, expiresAt: .distantPast, user: user,
            provider: adoptable.provider ?? user.providers.first?.id ?? "unknown")
    }

    /// The session of another SDK before its adoption.
    package var adoptable: AdoptableSession? { if case .adoptable(let session) = content { session } else { nil } }

    /// Replaces the user.
    mutating func replaceUser(of other: KeptSession, edition: Int) {
        guard case .established(var session) = content, case .established(let theirs) = other.content else { return }
        session.user = theirs.user
        content = .established(session)
        stage.edition = edition
    }

    /// What two processes made of one session: the tokens that have come further, and the user of the higher edition. The mark is
    /// the later refresh token's, whichever access token is beside it. Where both are equal, it is this one's.
    ///
    /// - Parameter isAnswered: Whether this one's mark is that of the request whose answer the other holds.
    func merged(with other: KeptSession, isAnswered: Bool) -> KeptSession {
        var merged = self
        if other.stage.tokens > stage.tokens {
            merged = other
            merged.isFoundAtLaunch = isFoundAtLaunch
            if stage.edition >= other.stage.edition { merged.replaceUser(of: self, edition: stage.edition) }
        } else if other.stage.edition > stage.edition {
            merged.replaceUser(of: other, edition: other.stage.edition)
        }
        if stage.hasRefreshToken(of: other.stage) { merged.isSent = isSent && !isAnswered }
        return merged
    }
}

/// The name of a session: 128 bits, which every refresh and change of the session keeps.
package struct SessionID: RawRepresentable, Hashable, Codable, Sendable {
    /// 32 hexadecimal digits.
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    private init(_ bytes: some Collection<UInt8>) { rawValue = SHA256.hex(bytes.prefix(16)) }

    /// The name of a new sign-in.
    static func random() -> Self { Self((0..<16).map { _ in UInt8.random(in: .min ... .max) }) }

    /// The name of an adoptable session: the same in every process that adopts it.
    package init(adopting adoptable: AdoptableSession) { self.init(SHA256.hash(adoptable.refreshToken.reveal().utf8)) }
}

/// The identity at a provider that a session began with.
///
/// Each session has its own, also when the same person signs in again, here or in another process.
package struct ProviderIdentity: Hashable, Sendable {
    package let session: SessionID
    let user: AuthUser.ID
    let provider: ProviderID
    /// The person's identifier at the provider.
    let userID: String
}
