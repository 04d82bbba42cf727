import AuthStreams
import Foundation

/// The settings of the emulated Kakao accounts, also on the page `https://kauth.kakao.com/emulator/account`, and Kakao's back
/// office.
public struct EmulatedKakao: Sendable {
    /// Why a person's link to the app has ended, other than by the app's own call.
    public enum Referrer: String, Sendable {
        /// The person deleted their Kakao account.
        case accountDeletion = "ACCOUNT_DELETE"
        /// Kakao deleted the account.
        case forcedAccountDeletion = "FORCED_ACCOUNT_DELETE"
        /// The person removed the app in the settings of their account.
        case accountSettings = "UNLINK_FROM_APPS"
        /// The person asked Kakao's customer service to do it.
        case customerService = "UNLINK_FROM_ADMIN"
        /// The app has not looked the person up within a day of their first log-in.
        case incompleteSignUp = "INCOMPLETE_SIGN_UP"
    }

    /// The time that the app has to look a person up after their first log-in.
    private static let limit: TimeInterval = 86_400

    let context: EmulatorContext

    private var app: EmulatorConfiguration.Kakao { context.configuration.kakao }

    /// Returns whether a person is linked to the app: they have logged in to it, and the link was not ended since.
    package func isLinked(_ userID: String) -> Bool {
        context.grants.consents { $0[.kakao(userID, app.appID)] != nil }
    }

    /// Ends a person's link to the app, and reports it to ``EmulatorConfiguration/Kakao/unlinkWebhook``.
    ///
    /// Kakao's tokens of that person are revoked, and their next log-in is a first one again. The report has the admin key. The
    /// app's server has 3 seconds for its answer, unless it is an emulated one.
    ///
    /// - Returns: The status of the answer, which should be 200; `nil` if there is no link, no address or no answer in time.
    @discardableResult
    public func unlink(_ userID: String, by referrer: Referrer = .accountSettings) async -> Int? {
        guard isLinked(userID) else { return nil }
        context.grants.revokeAll(of: .kakao(userID, app.appID), by: app.keys(ofApp: app.appID))
        return await context.send(
            app.unlinkWebhookMethod, to: app.unlinkWebhook,
            [("app_id", "\(app.appID)"), ("user_id", userID), ("referrer_type", referrer.rawValue)],
            authorization: "KakaoAK \(app.adminKey)", within: .seconds(3))
    }

    /// Runs Kakao's daily job: unlinks each person who first logged in to the app more than 24 hours ago, and for whom no
    /// user API has succeeded since. Here those are `/v2/user/me` and `/v1/oidc/userinfo`.
    ///
    /// - Returns: Kakao's identifiers of the unlinked people.
    @discardableResult
    package func unlinkIncompleteSignUps() async -> [String] {
        let moment = context.now - Self.limit
        let links = context.grants.consents { $0.links(to: "\(app.appID)", at: .kakao) }
        let people = links.filter { $0.since < moment && !$0.isLookedUp }.map(\.id.userID).sorted()
        await withTaskGroup { calls in
            for userID in people { calls.addTask { _ = await unlink(userID, by: .incompleteSignUp) } }
        }
        return people
    }

    /// Links a person to the app as their first log-in does, for a test that signs an ID token itself.
    package func link(_ userID: String) {
        let link = Consents.Link(id: .kakao(userID, app.appID), since: context.now, agreed: app.scopes)
        context.grants.consents { $0[link.id] = $0[link.id] ?? link }
    }
}

extension Consents.LinkID {
    /// A person's link to an app at Kakao.
    static func kakao(_ userID: String, _ app: Int64) -> Self { Self(issuer: .kakao, app: "\(app)", userID: userID) }
}
