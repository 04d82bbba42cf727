import Foundation

/// The session's record as it stood in the store at one moment, decoded once.
package struct RecordSnapshot: Hashable, Sendable {
    /// The bytes and their version.
    package let stored: StoredRecord
    /// What the bytes say; `nil` where there are none, or they cannot be read.
    package let record: SessionRecord?
    /// Why they cannot be read.
    let problem: SessionRecord.Problem?
    /// Whether a session in it is one of the server; see ``AuthRepository/owns(_:)``.
    let isOwned: Bool

    /// Decodes what the store holds.
    init(_ stored: StoredRecord, ownedIf owns: (Session) -> Bool = { _ in true }) {
        self.stored = stored
        guard let data = stored.data else {
            (record, problem, isOwned) = (nil, nil, true)
            return
        }
        do throws(SessionRecord.Problem) {
            let record = try SessionRecord(reading: data)
            (self.record, problem) = (record, nil)
            isOwned = if case .established(let session)? = record.kept { owns(session) } else { true }
        } catch {
            (record, problem, isOwned) = (nil, error, true)
        }
    }

    /// A record and its bytes.
    ///
    /// - Parameters:
    ///   - record: What the bytes say; `nil` for a removal.
    ///   - stored: The bytes and their version.
    package init(_ record: SessionRecord?, as stored: StoredRecord) {
        (self.stored, self.record, problem, isOwned) = (stored, record, nil, true)
    }

    /// The bytes; `nil` for no record.
    var data: Data? { stored.data }

    private var kept: KeptSession? { record?.kept }

    /// Whether it is a session's record, and can be read.
    var hasSession: Bool { record != nil }

    /// Whether it is a session's record, of this version of the library or a newer one.
    var isWhole: Bool {
        if case .newer? = problem { true } else { hasSession }
    }

    /// Whose session it is, where it says so.
    package var userID: AuthUser.ID? {
        switch kept {
        case .established(let session)?: session.user.id
        case .adoptable(let session)?: session.user?.id
        case nil: nil
        }
    }

    /// Whether it says who is signed in, or that no user is. The record of a migration need not.
    var namesUser: Bool {
        switch kept {
        case .established?: true
        case .adoptable(let session)?: session.user != nil
        case nil: data == nil
        }
    }

    /// The refresh token that it holds.
    var refreshToken: Secret? { kept?.refreshToken }

    /// The refresh token that it holds, if no process was about to send it.
    var unsentToken: Secret? { record?.isUnanswered == true ? nil : refreshToken }

    /// Whether it is of that sign-in.
    func holds(signIn date: Date?, of user: AuthUser.ID) -> Bool {
        userID == user && record?.signedInAt == date
    }

    /// Whether it holds that very session.
    func holds(_ session: Session) -> Bool {
        guard case .established(let own)? = kept else { return false }
        return own.user.id == session.user.id && own.refreshToken == session.refreshToken
            && own.accessToken == session.accessToken
    }
}
