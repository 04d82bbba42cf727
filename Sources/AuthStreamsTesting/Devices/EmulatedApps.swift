public import AuthStreams
public import Foundation

/// KakaoTalk and the Naver app on an emulated device, with a scripted person in front of it.
///
/// Stands where `UIApplication` stands on a phone: hand it to the providers as their opener. A URL of KakaoTalk or of the
/// Naver app is read as strictly as its documentation allows; the app then gets its code from the emulator by real HTTP
/// and answers through the app's own URL handler. Any other URL is passed on.
///
/// ```swift
/// let device = EmulatedApps(emulator: base, transport: transport, next: browser) { auth.handle($0) }
/// device.installed = [.kakaoTalk]
/// device.kakaoTalk = .cancel
/// ```
///
/// | what the app was asked | what happens |
/// | --- | --- |
/// | its URL, correct | a visit; the answer comes by the handler, and then the visit returns |
/// | its URL, wrong | no visit; ``refusals`` says what was wrong |
/// | an app that is not installed | no visit, no refusal: as on a phone |
/// | anything else | `next` decides; without one, nothing opens |
///
/// A visit that began goes on when the attempt it belongs to is cancelled, as the person in another app would. An answer
/// that comes then finds nobody and is counted in ``unclaimedAnswers``.
@MainActor
public final class EmulatedApps: ApplicationOpener {
    /// The apps that are installed. All of them unless set.
    public var installed: Set<App> = Set(App.allCases)
    /// What the person does in KakaoTalk from now on. Approves unless set.
    public var kakaoTalk: Conduct = .approve
    /// What the person does in the Naver app from now on. Approves unless set.
    public var naver: Conduct = .approve
    /// Whether KakaoTalk takes its universal links. When not, only its custom scheme opens it.
    public var takesUniversalLinks = true

    /// Every URL that was to be opened, in order, whatever came of it. They hold nonces and challenges: don't print them.
    public private(set) var opened: [URL] = []
    /// Why URLs of the apps were refused, for engineers. Empty when the providers spoke the apps' language.
    public private(set) var refusals: [String] = []
    /// How many visits began, by app.
    public private(set) var visits: [App: Int] = [:]
    /// How many answers nobody waited for.
    public private(set) var unclaimedAnswers = 0

    private let emulator: URL
    private let transport: any HTTPTransport
    private let next: (any ApplicationOpener)?
    private let handle: @Sendable (URL) -> Bool

    /// Makes a device.
    ///
    /// - Parameters:
    ///   - emulator: Where the emulator listens, such as `http://127.0.0.1:8080`.
    ///   - transport: Carries the apps' own requests to it.
    ///   - next: Opens what belongs to neither app, usually the scripted browser.
    ///   - handle: The app's URL handler, usually `AuthService.handle(_:)`: takes an answer, says whether it was awaited.
    public init(
        emulator: URL, transport: any HTTPTransport, next: (any ApplicationOpener)? = nil,
        handle: @escaping @Sendable (URL) -> Bool
    ) {
        self.emulator = emulator
        self.transport = transport
        self.next = next
        self.handle = handle
    }

    /// Whether an installed app, or what comes next, opens the URL.
    public func canOpen(_ url: URL) -> Bool {
        switch App(opening: url) {
        case .some(let app): installed.contains(app)
        case nil: next?.canOpen(url) ?? false
        }
    }

    /// Opens the app that the URL belongs to.
    ///
    /// - Returns: The visit, or `nil` when the app is not there or refused the URL.
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
            // A cancelled attempt cuts the app's request off, which says nothing about the URL.
            if !Task.isCancelled { refusals.append(error.explanation) }
            return nil
        }
    }

    /// What the app is going to say.
    private func answer(to request: AppRequest) async throws(AppRefusal) -> AppAnswer {
        switch conduct(in: request.app) {
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

    private func conduct(in app: App) -> Conduct {
        switch app {
        case .kakaoTalk: kakaoTalk
        case .naver: naver
        }
    }

    private func visit(_ app: App, answer: AppAnswer) -> ApplicationVisit {
        visits[app, default: 0] += 1
        let isBack = Promise<Void>()
        // Not a child of the attempt: the person in another app knows nothing of a cancelled task. It makes one call
        // and ends, so nobody needs to cancel it.
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
