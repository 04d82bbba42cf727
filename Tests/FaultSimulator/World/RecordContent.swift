import AuthStreams
import Foundation

/// What the bytes of the session's record say, in the form of any version of the app.
struct RecordContent: Decodable {
    struct Kept: Decodable {
        let id: String
        let revision: Int
        let renewal: Int
        let edition: Int
        let accessToken: String?
        let refreshToken: String?
        let user: AuthUser?
        let isSent: Bool?
        let isFoundAtLaunch: Bool?

        /// How far its tokens have come.
        var tokens: (revision: Int, renewal: Int) { (revision, renewal) }
        /// The token by which it is known: the refresh token, or the only token where there is none.
        var token: TokenName? { (refreshToken ?? accessToken).flatMap { TokenName($0) } }
        var access: TokenName? { accessToken.flatMap { TokenName($0) } }
    }

    let version: Int
    let session: Kept?
    let ended: [String]
    let endedCount: Int
    let isAdopted: Bool?
    let isDiscarded: Bool?

    /// - Returns: `nil` where there are no bytes, or they are damaged.
    init?(_ data: Data?) {
        guard let data, let content = try? JSONDecoder().decode(Self.self, from: data) else { return nil }
        self = content
    }

    /// How many of the sessions that ended a record names.
    static let limit = 16
    /// The form of this version of the app, and that of a newer one.
    static let forms = (present: 3, newer: 4)

    var isNewer: Bool { version > Self.forms.present }
}

/// One state of the session's record. The versions of the store are their order.
struct StoreEntry {
    /// `nil` where there is no record.
    let content: RecordContent?
    /// The sign-in whose session it is.
    let root: Int?
    /// Who wrote it, apart from the note of what another SDK discarded; `nil` for what is beyond all processes.
    let writer: ProcessID?
    let mark: Ledger.Mark
}
