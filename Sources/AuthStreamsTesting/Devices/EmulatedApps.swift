public import AuthStreams
public import Foundation

/// KakaoTalk and the Naver app on an emulated device, with a scripted person.
///
/// It takes the place of `UIApplication`: pass it to the providers as their opener. It checks a URL of KakaoTalk or of
/// the Naver app strictly by the documentation. The app then gets its code from the emulator by real HTTP and answers
/// through the app's own URL handler. Any other URL is passed on.
///
/// ```swift
/// let device = EmulatedApps(emulator: base, transport: transport, next: browser) { auth.handle($0) }
/// device.installed = [.kakaoTalk]
/// device.kakaoTalk = .cancel
/// ```
///
/// | the URL | consequence |
/// | --- | --- |
/// | of an app, correct | a visit; the answer comes by the handler, and then the visit returns |
/// | of an app, wrong | no visit; ``refusals`` has the reason |
/// | of an app that is not installed | no visit, no refusal: as on a phone |
/// | any other | `next` decides; without one, nothing opens |
///
/// A visit continues if its attempt is cancelled, because the person in another app is not affected. Its answer then
/// has no receiver.
@MainActor
public final class EmulatedApps: ApplicationOpener {
    /// The apps that are installed. All of them unless set.
    public var installed: Set<App> = Set(App.allCases)
    /// The person's action in KakaoTalk from now on. Approves unless set.
    public var kakaoTalk: UserAction = .approve
    /// The person's action in the Naver app from now on. Approves unless set.
    public var naver: UserAction = .approve
    /// Whether KakaoTalk opens by its universal links. If not, only its custom scheme opens it.
    package var takesUniversalLinks = true

    /// Every URL that was to be opened, in order, including those that did not open. They contain nonces and
    /// challenges: don't print them.
    package private(set) var opened: [URL] = []
    /// Why URLs of the apps were refused, for engineers. Empty if all URLs were correct.
    public private(set) var refusals: [String] = []
    /// The number of visits, by app.
    public private(set) var visits: [App: Int] = [:]
    /// The number of answers that no attempt waited for.
    package private(set) var unclaimedAnswers = 0

    private let emulator: URL
    private let transport: any AuthHTTPTransport
    private let next: (any ApplicationOpener)?
    private let handle: @Sendable (URL) -> Bool

    /// Makes a device.
    ///
    /// - Parameters:
    ///   - emulator: The emulator's URL, such as `http://127.0.0.1:8080`.
    ///   - transport: Sends the apps' own requests to it.
    ///   - next: Opens URLs of neither app; usually the scripted browser.
    ///   - handle: The app's URL handler, usually `AuthService.handle(_:)`: receives an answer, returns whether an
    ///     attempt took it.
    public init(
        emulator: URL, transport: any AuthHTTPTransport, next: (any ApplicationOpener)? = nil,
        handle: @escaping @Sendable (URL) -> Bool
    ) {
        self.emulator = emulator
        self.transport = transport
        self.next = next
        self.handle = handle
    }

    /// Whether `next` hides its URLs; `true` without one. The apps are in this process.
    public var hidesURLs: Bool { next?.hidesURLs ?? true }

    /// Returns whether an installed app, or `next`, opens the URL.
    public func canOpen(_ url: URL) -> Bool {
        switch App(opening: url) {
        case .some(let app): installed.contains(app)
        case nil: next?.canOpen(url) ?? false
        }
    }

    /// Opens the app that the URL belongs to.
    ///
    /// - Returns: The visit, or `nil` if the app is not installed or refused the URL.
    public func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? {
        opened.append(url)
        guard let app = App(opening: url) else {
            return await next?.open(url, universalLinksOnly: universalLinksOnly)
        }
        guard installed.contains(app), app.isOpened(by: url, universalLinksOnly: universalLinksOnly),
            takesUniversalLinks || url.scheme != "https"
        else { return nil }
        do {
            let request = try AppRequest(app, url: url)
            let answer = try await answer(to: request)
            return visit(app, answer: answer)
        } catch {
            // A cancelled attempt cancels the app's request, which says nothing about the URL.
            if !Task.isCancelled { refusals.append(error.explanation) }
            return nil
        }
    }

    /// Returns the app's answer.
    private func answer(to request: AppRequest) async throws(AppRequestError) -> AppAnswer {
        switch userAction(in: request.app) {
        case .approve(let user):
            .callback(try await request.redirect(decision: "approve", user: user, emulator, transport))
        case .deny: .callback(try await request.redirect(decision: "deny", user: nil, emulator, transport))
        case .cancel: .callback(try request.cancellation())
        case .fail(let error): .callback(try request.failure(error))
        case .notSignedIn: .callback(try request.failure(request.app.notSignedInError))
        case .comeBackWithoutAnswer: .silence
        case .stay: .never
        }
    }

    private func userAction(in app: App) -> UserAction {
        switch app {
        case .kakaoTalk: kakaoTalk
        case .naver: naver
        }
    }

    private func visit(_ app: App, answer: AppAnswer) -> ApplicationVisit {
        visits[app, default: 0] += 1
        let isBack = Promise<Void>()
        // Not a child of the attempt: the person in another app is not affected by a cancelled task. It makes one call
        // and ends, so it needs no cancellation.
        Task {
            switch answer {
            case .callback(let url): if !handle(url) { unclaimedAnswers += 1 }
            case .silence: break
            case .never: return
            }
            isBack.resolve(())
        }
        return ApplicationVisit { _ = await isBack.value() }
    }
}

extension EmulatedApps: CustomReflectable {
    /// A mirror without children, because the URLs that were to be opened hold nonces and challenges.
    public nonisolated var customMirror: Mirror { Mirror(self, children: []) }
}

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
