import AuthStreams
import Foundation

extension Emulator {
    /// Kakao's own actions on the app's users.
    package var kakao: EmulatedKakao {
        EmulatedKakao(
            links: router.service(KakaoAPI.self)?.links ?? Lock(KakaoLinks()), grants: router.grants,
            app: configuration.kakao, clock: configuration.clock)
    }
}

/// The back office of the emulated Kakao; see ``Emulator/kakao``.
package struct EmulatedKakao: Sendable {
    /// The time that the app has to look a person up after their first log-in.
    private static let limit: TimeInterval = 86_400

    let links: Lock<KakaoLinks>
    let grants: GrantStore
    let app: EmulatorConfiguration.Kakao
    let clock: AuthClock

    /// Returns whether a person is linked to the app: they have logged in to it, and the link was not ended since.
    package func isLinked(_ userID: String) -> Bool { links.withLock { $0.since(userID, with: app.appID) } != nil }

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
        let people = links.withLock { $0.incomplete(of: app.appID, before: moment) }
        for userID in people { Self.unlink(userID, from: app.appID, of: app, links, grants) }
        return people
    }

    /// Ends a person's link to an app, and revokes every token that the app has for them.
    static func unlink(
        _ userID: String, from appID: Int64, of kakao: EmulatorConfiguration.Kakao, _ links: Lock<KakaoLinks>,
        _ grants: GrantStore
    ) {
        links.withLock { $0.unlink(userID, from: appID) }
        grants.revokeAll(of: .kakao, clientIDs: kakao.keys(ofApp: appID), userID: userID)
    }
}
