import Foundation

/// A session as it stands in a store. The one place that writes secrets down, on purpose.
struct SessionRecord: Codable {
    private static let currentVersion = 1

    private var version = SessionRecord.currentVersion
    private let accessToken: String
    private let refreshToken: String?
    private let expiresAt: Date?
    private let user: AuthUser
    private let provider: ProviderID

    init(_ session: Session) {
        accessToken = session.accessToken.reveal()
        refreshToken = session.refreshToken?.reveal()
        expiresAt = session.expiresAt
        user = session.user
        provider = session.provider
    }

    var session: Session {
        Session(
            accessToken: Secret(accessToken), refreshToken: refreshToken.map { Secret($0) }, expiresAt: expiresAt,
            user: user, provider: provider)
    }

    func data() throws(AuthError) -> Data {
        do { return try JSONEncoder().encode(self) } catch {
            throw AuthError(.storage, "The session could not be encoded.", cause: error)
        }
    }

    /// Reads a record.
    ///
    /// - Throws: `storage` when it is damaged, or written by a newer version of the library. It is left as it is.
    static func session(from data: Data) throws(AuthError) -> Session {
        do {
            // The version first: a newer form may lack what this one needs.
            let version = try JSONDecoder().decode(Version.self, from: data).version
            if version <= currentVersion { return try JSONDecoder().decode(SessionRecord.self, from: data).session }
            throw AuthError(
                .storage,
                "The stored session was written by a newer version (form \(version)). Update the app, or sign in again."
            )
        } catch let error as AuthError {
            throw error
        } catch {
            throw AuthError(
                .storage, "The stored session is damaged or of another form. Signing in again replaces it.",
                cause: error)
        }
    }

    private struct Version: Decodable {
        let version: Int
    }
}
