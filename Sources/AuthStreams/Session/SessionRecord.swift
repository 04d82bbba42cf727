package import Foundation

/// What a store holds of a session: one that was established, or one that is still to be adopted.
package enum KeptSession: Hashable, Sendable {
    case established(Session)
    case adoptable(LegacySession)

    var refreshToken: Secret? {
        switch self {
        case .established(let session): session.refreshToken
        case .adoptable(let session): session.refreshToken
        }
    }
}

/// A session as it stands in a store. The one place that writes secrets down, on purpose.
///
/// Both forms are one record, so that the one takes the other's place in one write.
package struct SessionRecord: Codable, Hashable {
    /// The forms, each known by the version that brought it.
    private enum Version {
        static let established = 1
        static let adoptable = 2
    }

    private let version: Int
    private let accessToken: String?
    private let refreshToken: String?
    private let expiresAt: Date?
    private let issuedAt: Date?
    private let user: AuthUser?
    private let provider: ProviderID?
    private let isAnswerOwed: Bool?
    private let idToken: String?
    private let scopes: [String]?
    /// When the user signed in, by the device's clock: the same in every record of this sign-in. `nil` for a session that
    /// another SDK left.
    package let signedInAt: Date?
    /// When its tokens were first written, by the device's clock. Records of the library's first version do not say.
    let savedAt: Date?

    /// Whether the refresh token was sent and its answer was not read: the journal of a refresh.
    package var isUnanswered: Bool { isAnswerOwed ?? false }

    /// - Parameters:
    ///   - isUnanswered: Whether its refresh token was sent, or is about to be, and its answer was not read.
    ///   - signedInAt: When the user signed in, by the device's clock; `nil` for a session that another SDK left.
    ///   - savedAt: When its tokens were first written, by the device's clock.
    package init(_ kept: KeptSession, isUnanswered: Bool, signedInAt: Date? = nil, savedAt: Date) {
        isAnswerOwed = isUnanswered ? true : nil
        self.signedInAt = signedInAt
        self.savedAt = savedAt
        switch kept {
        case .established(let session):
            version = Version.established
            accessToken = session.accessToken.reveal()
            refreshToken = session.refreshToken?.reveal()
            expiresAt = session.expiresAt
            issuedAt = session.issuedAt
            user = session.user
            provider = session.provider
            idToken = session.openID?.idToken.reveal()
            scopes = session.openID?.scopes
        case .adoptable(let session):
            version = Version.adoptable
            accessToken = nil
            refreshToken = session.refreshToken.reveal()
            expiresAt = nil
            issuedAt = nil
            user = session.user
            provider = session.provider
            (idToken, scopes) = (nil, nil)
        }
    }

    func data() throws(AuthError) -> Data {
        do { return try JSONEncoder().encode(self) } catch {
            throw AuthError(.storage, "The session could not be encoded.", cause: error)
        }
    }

    /// Why a record cannot be read. Its bytes stay as they are.
    enum Problem: Error, Hashable {
        /// A newer version of the library wrote it, and will read it.
        case newer(version: Int)
        /// It is no record of any version.
        case damaged(AuthError.Cause?)
    }

    /// Reads a record.
    init(reading data: Data) throws(Problem) {
        let form: Form
        do { form = try JSONDecoder().decode(Form.self, from: data) } catch {
            throw .damaged(AuthError.Cause(scrubbing: error))
        }
        switch form {
        case .newer(let version): throw .newer(version: version)
        case .known(let record): self = record
        }
        guard kept != nil else { throw .damaged(nil) }
    }

    /// What it holds; never `nil` in a record that was read.
    package var kept: KeptSession? {
        switch version {
        case Version.established:
            guard let accessToken, let user, let provider else { return nil }
            return .established(
                Session(
                    accessToken: Secret(accessToken), refreshToken: refreshToken.map { Secret($0) },
                    expiresAt: expiresAt, user: user, provider: provider, issuedAt: issuedAt,
                    openID: idToken.map { Session.OpenID(idToken: Secret($0), scopes: scopes) }))
        case Version.adoptable:
            return refreshToken.map {
                .adoptable(LegacySession(refreshToken: Secret($0), user: user, provider: provider))
            }
        default: return nil
        }
    }

    private enum Form: Decodable {
        case known(SessionRecord)
        case newer(version: Int)

        /// Decodes the version first: a newer form may lack what this one needs.
        init(from decoder: any Decoder) throws {
            let version = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .version)
            self = version <= Version.adoptable ? .known(try SessionRecord(from: decoder)) : .newer(version: version)
        }
    }
}

extension SessionRecord.Problem {
    /// What is told of it.
    var error: AuthError {
        switch self {
        case .newer(let version):
            return AuthError(
                .storage,
                "The stored session was written by a newer version (form \(version)). Update the app, or sign in again."
            )
        case .damaged(let cause):
            var error = AuthError(
                .storage, "The stored session is damaged or of another form. Signing in again replaces it.")
            error.cause = cause
            return error
        }
    }
}

/// The shape of a record that cannot be decoded, kept for diagnosis without any token.
enum DamagedRecord {
    private static let names: Set<String> = [
        "version", "accessToken", "refreshToken", "expiresAt", "issuedAt", "user", "provider", "isAnswerOwed",
        "signedInAt",
        "savedAt", "id", "idToken", "scopes",
    ]

    /// Returns as many bytes as there were, of which only JSON's punctuation and the names of the record's members are kept.
    /// Every other one is an `x`.
    ///
    /// So a record that was cut off, or with a missing or misspelt member, is recognized without the person's data.
    static func shape(of data: Data) -> Data {
        var shape = Data(capacity: data.count)
        var word: [UInt8] = []
        func endWord() {
            shape.append(contentsOf: names.contains(String(decoding: word, as: UTF8.self)) ? word : word.map { _ in x })
            word = []
        }
        for byte in data {
            if punctuation.contains(byte) {
                endWord()
                shape.append(byte)
            } else {
                word.append(byte)
            }
        }
        endWord()
        return shape
    }

    private static let punctuation = Set(#"{}[]":, "#.utf8)
    private static let x = UInt8(ascii: "x")
}
