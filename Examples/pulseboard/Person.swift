import AuthStreams
import AuthStreamsTesting
import Foundation

/// The person at a provider's page or app, whose answer is a key.
@MainActor
final class Person: ApplicationOpener {
    private let apps: EmulatedApps
    private let browser: ScriptedBrowser
    private var question: AsyncStream<Bool>.Continuation?

    /// Called when a provider asks.
    var onQuestion: @MainActor () -> Void = {}

    /// Whether a provider waits for the answer.
    var isAsked: Bool { question != nil }

    /// - Parameters:
    ///   - apps: The apps of the phone, which pass web pages on to the browser.
    ///   - browser: The browser of the phone.
    init(_ apps: EmulatedApps, _ browser: ScriptedBrowser) {
        self.apps = apps
        self.browser = browser
    }

    /// Answers the question.
    func answer(agreeing: Bool) {
        question?.yield(agreeing)
        leave()
    }

    /// Leaves the page without an answer, because the app has cancelled the attempt.
    func leave() {
        question?.finish()
        question = nil
    }

    func canOpen(_ url: URL) -> Bool { apps.canOpen(url) }
    var hidesURLs: Bool { apps.hidesURLs }

    func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? {
        guard let agrees = await answer() else { return nil }
        browser.answers = [agrees ? .approve : .deny]
        apps.kakaoTalk = agrees ? .approve : .deny
        apps.naver = agrees ? .approve : .deny
        return await apps.open(url, universalLinksOnly: universalLinksOnly)
    }

    /// - Returns: `nil` if the attempt is cancelled before the answer.
    private func answer() async -> Bool? {
        let (answers, question) = AsyncStream<Bool>.makeStream()
        self.question = question
        onQuestion()
        for await answer in answers { return answer }
        return nil
    }
}
