import Foundation

/// What a store holds of a session: one that was established, or one that is still to be adopted.
enum KeptSession: Hashable, Sendable {
    case established(Session)
    case adoptable(AdoptableSession)
}

/// A session as it stands in a store. The one place that writes secrets down, on purpose.
///
/// Both forms are one record, so that the one takes the other's place in one write.
struct SessionRecord: Codable {
    /// The forms, each known by the version that brought it.
    private enum Version {
        static let established = 1
        static let adoptable = 2
    }

    private let version: Int
    private let accessToken: String?
    private let refreshToken: String?
    private let expiresAt: Date?
    private let user: AuthUser?
    private let provider: ProviderID?

    init(_ session: Session) {
        version = Version.established
        accessToken = session.accessToken.reveal()
        refreshToken = session.refreshToken?.reveal()
        expiresAt = session.expiresAt
        user = session.user
        provider = session.provider
    }

    init(_ session: AdoptableSession) {
        version = Version.adoptable
        accessToken = nil
        refreshToken = session.refreshToken.reveal()
        expiresAt = nil
        user = session.user
        provider = session.provider
    }

    init(_ kept: KeptSession) {
        switch kept {
        case .established(let session): self.init(session)
        case .adoptable(let session): self.init(session)
        }
    }

    func data() throws(AuthError) -> Data {
        do { return try JSONEncoder().encode(self) } catch {
            throw AuthError(.storage, "The session could not be encoded.", cause: error)
        }
    }

    /// Reads a record.
    ///
    /// - Throws: `storage` when it is damaged, or written by a newer version of the library. It is left as it is.
    static func kept(in data: Data) throws(AuthError) -> KeptSession {
        do {
            // The version first: a newer form may lack what this one needs.
            let version = try JSONDecoder().decode(VersionOnly.self, from: data).version
            guard version <= Version.adoptable else {
                throw AuthError(
                    .storage,
                    """
                    The stored session was written by a newer version (form \(version)). Update the app, or sign in \
                    again.
                    """)
            }
            let record = try JSONDecoder().decode(SessionRecord.self, from: data)
            guard let kept = record.kept else { throw damaged(nil) }
            return kept
        } catch let error as AuthError {
            throw error
        } catch {
            throw damaged(error)
        }
    }

    private var kept: KeptSession? {
        switch version {
        case Version.established:
            guard let accessToken, let user, let provider else { return nil }
            return .established(
                Session(
                    accessToken: Secret(accessToken), refreshToken: refreshToken.map { Secret($0) },
                    expiresAt: expiresAt, user: user, provider: provider))
        case Version.adoptable:
            return refreshToken.map {
                .adoptable(AdoptableSession(refreshToken: Secret($0), user: user, provider: provider))
            }
        default: return nil
        }
    }

    private static func damaged(_ cause: (any Error)?) -> AuthError {
        AuthError(
            .storage, "The stored session is damaged or of another form. Signing in again replaces it.", cause: cause)
    }

    private struct VersionOnly: Decodable {
        let version: Int
    }
}
