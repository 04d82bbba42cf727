import AuthStreams
import Foundation

extension Emulator {
    /// Kakao's own actions on the app's users.
    package var kakao: EmulatedKakao {
        EmulatedKakao(grants: router.grants, app: configuration.kakao, clock: configuration.clock)
    }
}

/// The back office of the emulated Kakao; see ``Emulator/kakao``.
package struct EmulatedKakao: Sendable {
    /// The time that the app has to look a person up after their first log-in.
    private static let limit: TimeInterval = 86_400

    let grants: GrantStore
    let app: EmulatorConfiguration.Kakao
    let clock: AuthClock

    /// Returns whether a person is linked to the app: they have logged in to it, and the link was not ended since.
    package func isLinked(_ userID: String) -> Bool { grants.consents { $0[.kakao(userID, app.appID)] != nil } }

    /// Runs Kakao's daily job: unlinks each person who first logged in to the app more than 24 hours ago, and for whom no
    /// user API has succeeded since.
    ///
    /// Only `/v2/user/me` counts as a user API here. Tokens of an unlinked person are invalid, and the next log-in of
    /// that person is a first one again. Kakao then calls the app's webhook with `INCOMPLETE_SIGN_UP`; the emulator
    /// calls no webhook.
    ///
    /// - Returns: Kakao's identifiers of the unlinked people.
    @discardableResult
    package func unlinkIncompleteSignUps() -> [String] {
        let moment = clock.date - Self.limit
        let links = grants.consents { $0.links(to: "\(app.appID)", at: .kakao) }
        let people = links.filter { $0.since < moment && !$0.isLookedUp }.map(\.id.userID).sorted()
        for userID in people { grants.revokeAll(of: .kakao(userID, app.appID), at: app) }
        return people
    }

    /// Links a person to the app as their first log-in does, for a test that signs an ID token itself.
    package func link(_ userID: String) {
        let link = Consents.Link(id: .kakao(userID, app.appID), since: clock.date, agreed: app.scopes)
        grants.consents { $0[link.id] = $0[link.id] ?? link }
    }
}

extension Consents.LinkID {
    /// A person's link to an app at Kakao.
    static func kakao(_ userID: String, _ app: Int64) -> Self { Self(issuer: .kakao, app: "\(app)", userID: userID) }
}

extension GrantStore {
    /// Revokes every token that an app has for a person at Kakao, and ends their link to it unless that is kept.
    func revokeAll(of link: Consents.LinkID, at kakao: EmulatorConfiguration.Kakao, keepsLink: Bool = false) {
        let keys = kakao.keys(ofApp: Int64(link.app) ?? 0)
        revokeAll(of: .kakao, clientIDs: keys, userID: link.userID, app: link.app, keepsLink: keepsLink)
    }
}
