import Foundation

extension EmulatedApps {
    /// An app that can be installed.
    public enum App: String, Hashable, Sendable, CaseIterable {
        /// KakaoTalk, opened by `kakaokompassauth://` or a universal link of `talk-apps.kakao.com`.
        case kakaoTalk
        /// The Naver app, opened by `naversearchthirdlogin://`.
        case naver
    }

    /// The person's action in an app.
    public enum UserAction: Hashable, Sendable {
        /// Agrees, as the emulator's user of that name, or as its first one.
        case approve(as: String?)
        /// Refuses, on the app's consent screen.
        case deny
        /// Leaves by the app's own cancel button: KakaoTalk answers `error=cancelled`, the Naver app its number 2.
        case cancel
        /// Switches back to this app without an answer.
        case comeBackWithoutAnswer
        /// Causes an error that the app answers with: a word for KakaoTalk, a number for the Naver app.
        case fail(String)
        /// Is not signed in to the app; both apps answer with an error.
        case notSignedIn
        /// Stays there: neither an answer nor a return.
        case stay

        /// Agrees, as the emulator's first user.
        public static var approve: Self { .approve(as: nil) }
    }
}

extension EmulatedApps.App {
    /// The app that a URL belongs to by scheme or host, even if the rest of the URL is wrong.
    init?(opening url: URL) {
        switch (url.scheme?.lowercased(), url.host()?.lowercased()) {
        case ("kakaokompassauth", _), ("https", "talk-apps.kakao.com"): self = .kakaoTalk
        case ("naversearchthirdlogin", _): self = .naver
        default: return nil
        }
    }

    /// Returns whether the system opens the app with the URL: a custom scheme is not a universal link.
    func isOpened(by url: URL, universalLinksOnly: Bool) -> Bool { !universalLinksOnly || url.scheme == "https" }

    /// The app's error if no user is signed in to it.
    var notSignedInError: String {
        switch self {
        case .kakaoTalk: "login_required"
        case .naver: "10"
        }
    }
}

/// Why an app refused a URL.
struct AppRequestError: Error {
    let explanation: String
}

/// An app's answer at the end of a visit.
enum AppAnswer {
    case callback(URL)
    case silence
    case never
}
