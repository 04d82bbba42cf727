import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// One more step of a sign-in: the prompt, its answer and its end.
@Suite struct PromptTests {
    @Test func theAnswerContinuesTheSignIn() async throws {
        let fixture = PromptFixture()
        var view = PromptView(fixture.auth)
        var states = fixture.auth.states.makeAsyncIterator()
        let attempt = fixture.signIn()
        let prompt = try #require(await view.prompt())
        #expect(fixture.auth.state == .signingIn(.kakao, .waitingForAnswer))
        #expect(prompt.kind == .code && prompt.provider == .kakao && prompt.failure == nil && prompt.isOpen)
        let code = try #require(prompt.code)
        #expect(code.destination == "a•••@example.com" && code.length == 6)
        #expect(prompt.factors == nil && prompt.form == nil && prompt.link == nil && prompt.page == nil)
        code.submit("123456")
        #expect(try await attempt.value.get().id == "kakao:1001")
        #expect(!prompt.isOpen)
        #expect(try #require(await view.next()) == nil, "The sheet closes.")
        #expect(fixture.answers == [.code(Secret("123456"))])
        fixture.auth.manager.finish()
        var steps: [AuthState.SignInStep] = []
        while let state = await states.next() {
            if case .signingIn(_, let step) = state { steps.append(step) }
        }
        #expect(steps == [.presenting, .establishingSession, .waitingForAnswer, .establishingSession])
    }

    @Test func withoutAPresenterTheAttemptEndsWithItsCode() async throws {
        let fixture = PromptFixture()
        // One that only logs does not count.
        var log = fixture.auth.prompts.makeAsyncIterator()
        #expect(try #require(await log.next()) == nil)
        let attempt = fixture.signIn()
        _ = try #require(await log.next())
        await fixture.clock.waitForSleepers(count: 2)
        fixture.clock.advance(by: .seconds(1))
        let error = try #require(await attempt.value.error)
        #expect(error.code == .secondFactorRequired && error.provider == .kakao && error.step == .waitingForAnswer)
        #expect(error.challenge == nil, "The pending token leaves with the attempt.")
        #expect(error.explanation.contains("presenting()"))
        #expect(fixture.answers.isEmpty && fixture.auth.state == .signedOut(nil))
    }

    @Test func aViewThatIsMadeAnewShowsThePromptAgain() async throws {
        let fixture = PromptFixture()
        var view: PromptView? = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let first = try #require(await view?.prompt())
        await fixture.clock.waitForSleepers(count: 1)
        view = nil
        await fixture.clock.waitForSleepers(count: 2)
        fixture.clock.advance(by: .milliseconds(999))
        var next = PromptView(fixture.auth)
        let again = try #require(await next.prompt())
        #expect(again.id == first.id && again.isOpen)
        fixture.clock.advance(by: .seconds(2))
        again.code?.submit("123456")
        #expect(await attempt.value.error == nil)
    }

    @Test func aViewThatStaysAwayEndsTheAttempt() async throws {
        let fixture = PromptFixture()
        var view: PromptView? = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let prompt = try #require(await view?.prompt())
        view = nil
        await fixture.clock.waitForSleepers(count: 2)
        fixture.clock.advance(by: .seconds(1))
        #expect(await attempt.value.error?.code == .secondFactorRequired)
        #expect(!prompt.isOpen)
    }

    @Test func theViewThatCameLastShowsThePrompt() async throws {
        let fixture = PromptFixture()
        var first = PromptView(fixture.auth)
        var second: PromptView? = PromptView(fixture.auth)
        #expect(try #require(await first.next()) == nil)
        let attempt = fixture.signIn()
        let prompt = try #require(await second?.prompt())
        second = nil
        #expect(try #require(await first.next())?.id == prompt.id, "The one before shows it once the last has gone.")
        prompt.code?.submit("123456")
        #expect(await attempt.value.error == nil)
    }

    @Test func cancellingThePromptIsThePersonsOwnCancel() async throws {
        let fixture = PromptFixture()
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let prompt = try #require(await view.prompt())
        prompt.cancel()
        #expect(await attempt.value.error?.code == .cancelled)
        #expect(!prompt.isOpen && fixture.answers.isEmpty)
        // Too late: ignored, and harmless for the next attempt.
        prompt.code?.submit("123456")
        prompt.cancel()
        #expect(fixture.answers.isEmpty)
    }

    @Test func cancellingWhileTheAnswerIsBeingSentEndsTheAttempt() async throws {
        let sent = Promise<Void>()
        let fixture = PromptFixture { _, _, _ in
            sent.resolve(())
            try await Task.sleep(for: .seconds(86_400))
            return PromptFixture.session
        }
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let prompt = try #require(await view.prompt())
        prompt.code?.submit("123456")
        _ = await sent.value()
        #expect(!prompt.isOpen)
        prompt.cancel()
        #expect(await attempt.value.error?.code == .cancelled && fixture.auth.user == nil)
    }

    @Test func onlyTheFirstAnswerCounts() async throws {
        let fixture = PromptFixture()
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let code = try #require(await view.prompt()?.code)
        code.submit("123456")
        code.submit("654321")
        #expect(await attempt.value.error == nil)
        #expect(fixture.answers == [.code(Secret("123456"))])
    }

    /// The sheet stays, since the attempt is the same, and the token of the newest answer is sent.
    @Test func aWrongCodeIsAskedAgainWithTheServersNewToken() async throws {
        let tokens = Lock([Secret?]())
        let fixture = PromptFixture { challenge, answer, _ in
            tokens.withLock { $0.append(challenge.pendingToken) }
            guard answer == .code(Secret("123456")) else {
                var next = challenge
                (next.pendingToken, next.attemptsLeft) = (Secret("pending-2"), 2)
                throw AuthError(.codeMismatch, "The code is wrong.", challenge: next)
            }
            return PromptFixture.session
        }
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let first = try #require(await view.prompt())
        #expect(first.attemptsLeft == nil)
        first.code?.submit("111111")
        let second = try #require(await view.prompt())
        #expect(second.id == first.id && second.failure?.code == .codeMismatch && second.attemptsLeft == 2)
        #expect(second.failure?.challenge == nil)
        // The first is over.
        first.code?.submit("123456")
        second.code?.submit("123456")
        #expect(await attempt.value.error == nil)
        #expect(tokens.withLock { $0 } == [Secret("pending-1"), Secret("pending-2")])
    }

    @Test func aWrongCodeGivesNoMoreTimeAndNoOtherCodeSooner() async throws {
        let challenge = Challenge(
            .code(.init(resendAfter: .seconds(30))), pendingToken: Secret("pending"), expiresIn: .seconds(300))
        let fixture = PromptFixture(challenge) { challenge, _, _ in
            var next = challenge
            next.attemptsLeft = 2
            throw AuthError(.codeMismatch, "The code is wrong.", challenge: next)
        }
        var view: PromptView? = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let first = try #require(await view?.prompt())
        await fixture.clock.waitForSleepers(count: 1)
        fixture.clock.advance(by: .seconds(20))
        first.code?.submit("111111")
        let second = try #require(await view?.prompt())
        #expect(second.attemptsLeft == 2 && second.expiresAt == first.expiresAt)
        #expect(second.resendableAt == first.resendableAt)
        view = nil
        await fixture.clock.waitForSleepers(count: 2)
        fixture.clock.advance(by: .seconds(1))
        #expect(await attempt.value.error?.code == .secondFactorRequired, "What the server wants, not the last slip.")
    }

    @Test func theNextStepHasNoFailure() async throws {
        let form = Challenge(.form([.init(id: "nickname"), .init(id: "terms", kind: .consent)]))
        let fixture = PromptFixture { _, answer, _ in
            guard case .form = answer else {
                throw AuthError(.registrationRequired, "A new user.", challenge: form)
            }
            return PromptFixture.session
        }
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let first = try #require(await view.prompt())
        first.code?.submit("123456")
        let second = try #require(await view.prompt())
        #expect(second.kind == .form && second.failure == nil && second.id == first.id)
        second.form?.submit(["nickname": "민지", "terms": "true"])
        #expect(await attempt.value.error == nil)
        #expect(fixture.answers.last == .form(["nickname": Secret("민지"), "terms": Secret("true")]))
    }

    @Test(arguments: [
        ("123456", "123456"), (" 123 456 ", "123456"), ("１２３４５６", "123456"), ("123-456", "123456"),
        ("１２３　４５６", "123456"),
    ]) func aCodeIsSentInItsPlainForm(entered: String, sent: String) async throws {
        let fixture = PromptFixture()
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        try #require(await view.prompt()?.code).submit(entered)
        #expect(await attempt.value.error == nil)
        #expect(fixture.answers == [.code(Secret(sent))])
    }

    /// A slip costs none of the attempts that the server counts.
    @Test(arguments: ["", "   ", "12345", "1234567", "12345a", "12345⑩", "12345万"]) func aCodeWithoutItsFormIsNotSent(
        entered: String
    ) async throws {
        let fixture = PromptFixture()
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        try #require(await view.prompt()?.code).submit(entered)
        let again = try #require(await view.prompt())
        #expect(again.failure?.code == .codeMismatch && again.failure?.explanation.contains("6 digits") == true)
        #expect(fixture.answers.isEmpty)
        again.code?.submit("123456")
        #expect(await attempt.value.error == nil)
    }

    @Test func aCodeWithLettersKeepsThem() async throws {
        let challenge = Challenge(.code(.init(hasLetters: true)))
        let fixture = PromptFixture(challenge) { _, _, _ in PromptFixture.session }
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        try #require(await view.prompt()?.code).submit("ａb-Ｃ 9")
        #expect(await attempt.value.error == nil)
        #expect(fixture.answers == [.code(Secret("abC9"))])
    }

    @Test(arguments: [nil, Duration.seconds(300)]) func withoutAnAnswerInTimeTheAttemptEnds(limit: Duration?)
        async throws
    {
        var challenge = PromptFixture.code
        challenge.expiresIn = limit
        let fixture = PromptFixture(challenge)
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let prompt = try #require(await view.prompt())
        #expect(prompt.expiresAt == limit.map { PromptFixture.start.addingTimeInterval($0 / .seconds(1)) })
        await fixture.clock.waitForSleepers(count: 1)
        // A wrong answer does not lengthen the time that the server gives.
        fixture.clock.advance(by: .seconds(200))
        prompt.code?.submit("12")
        let again = try #require(await view.prompt())
        #expect(again.expiresAt == prompt.expiresAt)
        await fixture.clock.waitForSleepers(count: 1)
        fixture.clock.advance(by: (limit ?? .seconds(600)) - .seconds(200))
        #expect(await attempt.value.error?.code == .timedOut)
        #expect(!again.isOpen && fixture.answers.isEmpty)
    }

    @Test(arguments: [AuthError.Code.network, .server, .rateLimited, .timedOut])
    func afterAFailureOnTheWayTheSameIsAskedAgain(code: AuthError.Code) async throws {
        let isFirst = Lock(true)
        let fixture = PromptFixture { _, _, _ in
            if isFirst.withLock({ isFirst in
                defer { isFirst = false }
                return isFirst
            }) {
                throw AuthError(code, "The network is gone.", retryAfter: .seconds(30))
            }
            return PromptFixture.session
        }
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let first = try #require(await view.prompt())
        first.code?.submit("123456")
        let second = try #require(await view.prompt())
        #expect(second.failure?.code == code && second.id == first.id)
        second.code?.submit("123456")
        #expect(await attempt.value.error == nil)
    }

    @Test(arguments: [AuthError.Code.userDisabled, .invalidCredential, .refused, .unexpected])
    func anotherErrorEndsTheAttempt(code: AuthError.Code) async throws {
        let fixture = PromptFixture { _, _, _ in throw AuthError(code, "It is over.") }
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        try #require(await view.prompt()?.code).submit("123456")
        #expect(await attempt.value.error?.code == code)
        #expect(try #require(await view.next()) == nil)
    }

    @Test func anotherCodeIsSentAfterItsPause() async throws {
        let challenge = Challenge(.code(.init(resendAfter: .seconds(30))), pendingToken: Secret("pending-1"))
        let fixture = PromptFixture(challenge) { challenge, answer, _ in
            guard answer == .resend else { return PromptFixture.session }
            var next = challenge
            next.pendingToken = Secret("pending-2")
            throw AuthError(.verificationRequired, "Another code was sent.", challenge: next)
        }
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let first = try #require(await view.prompt())
        #expect(first.resendableAt == PromptFixture.start.addingTimeInterval(30))
        first.code?.resend()
        let early = try #require(await view.prompt())
        #expect(early.failure?.code == .rateLimited && early.failure?.retryAfter == .seconds(30))
        #expect(early.resendableAt == first.resendableAt && fixture.answers.isEmpty)
        fixture.clock.advance(by: .seconds(30))
        early.code?.resend()
        let second = try #require(await view.prompt())
        #expect(second.failure == nil && second.resendableAt == PromptFixture.start.addingTimeInterval(60))
        #expect(fixture.answers == [.resend])
        second.code?.submit("123456")
        #expect(await attempt.value.error == nil)
    }

    @Test func aServerThatSendsNoOtherCodeYetSaysWhen() async throws {
        let challenge = Challenge(.code(.init(resendAfter: .zero)))
        let fixture = PromptFixture(challenge) { _, answer, _ in
            guard answer == .resend else { return PromptFixture.session }
            throw AuthError(.rateLimited, "Later.", retryAfter: .seconds(90))
        }
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        try #require(await view.prompt()?.code).resend()
        let again = try #require(await view.prompt())
        #expect(again.failure?.code == .rateLimited)
        #expect(again.resendableAt == PromptFixture.start.addingTimeInterval(90))
        again.code?.submit("123456")
        #expect(await attempt.value.error == nil)
    }

    @Test func aPromptWithoutAnotherCodeIgnoresTheWish() async throws {
        let fixture = PromptFixture()
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let prompt = try #require(await view.prompt())
        #expect(prompt.resendableAt == nil)
        prompt.code?.resend()
        #expect(prompt.isOpen)
        prompt.code?.submit("123456")
        #expect(await attempt.value.error == nil)
    }

    @Test func theFactorIsOneOfTheServers() async throws {
        let factors = [Challenge.Factor(id: "1", kind: "totp", name: "Phone"), .init(id: "2", kind: "sms")]
        let fixture = PromptFixture(Challenge(.factors(factors))) { _, _, _ in PromptFixture.session }
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let prompt = try #require(await view.prompt())
        #expect(prompt.factors?.all == factors)
        prompt.factors?.choose(.init(id: "3", kind: "totp"))
        let again = try #require(await view.prompt())
        #expect(again.failure?.code == .invalidInput && fixture.answers.isEmpty)
        again.factors?.choose(factors[1])
        #expect(await attempt.value.error == nil)
        #expect(fixture.answers == [.factor("2")])
    }

    @Test(
        arguments: [
            (["nickname": "Minji"], "terms"), (["terms": "true"], "nickname"),
            (["nickname": " ", "terms": "true"], "nickname"),
            (["nickname": "Minji", "terms": "false"], "terms"),
            (["nickname": "Minji", "terms": "true", "age": "7"], "age"),
        ] as [([String: String], String)])
    func aFormIsSentWhenItIsComplete(values: [String: String], field: String) async throws {
        let form = Challenge(
            .form([
                .init(id: "nickname"), .init(id: "terms", kind: .consent),
                .init(id: "news", kind: .consent, isRequired: false),
            ]))
        let fixture = PromptFixture(form, because: .registrationRequired) { _, _, _ in PromptFixture.session }
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        try #require(await view.prompt()?.form).submit(values)
        let again = try #require(await view.prompt())
        #expect(again.failure?.code == .invalidInput && again.failure?.explanation.contains("'\(field)'") == true)
        #expect(fixture.answers.isEmpty)
        again.form?.submit(["nickname": "Minji", "terms": "true", "news": "false"])
        #expect(await attempt.value.error == nil)
    }

    @Test func aPageIsAnsweredByItsCallback() async throws {
        let page = URL(string: "https://api.example/terms")!
        let fixture = PromptFixture(
            Challenge(.page(.init(page, kind: .init(rawValue: "terms-2027")))), because: .additionalStepRequired
        ) { _, _, _ in PromptFixture.session }
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let prompt = try #require(await view.prompt())
        #expect(prompt.kind.rawValue == "terms-2027" && prompt.page?.url == page)
        let callback = URL(string: "app:/terms?ok=1")!
        prompt.page?.submit(callback: callback)
        #expect(await attempt.value.error == nil)
        #expect(fixture.answers == [.callback(callback)])
    }

    @Test(arguments: [false, true]) func aPageIsShownByTheServicesUserAgent(closesFirst: Bool) async throws {
        let (page, callback) = (URL(literal: "https://api.example/terms"), URL(literal: "app:/terms"))
        let agent = await ClosingAgent(closesFirst: closesFirst)
        let fixture = PromptFixture(
            Challenge(.page(.init(page, callbackURL: callback))), because: .additionalStepRequired, userAgent: agent
        ) { _, _, _ in PromptFixture.session }
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        try #require(await view.prompt()?.page).open()
        if closesFirst {
            let again = try #require(await view.prompt())
            #expect(again.failure?.code == .cancelled && again.isOpen, "Closing the page is no answer.")
            again.page?.open()
        }
        #expect(await attempt.value.error == nil)
        #expect(fixture.answers == [.callback(URL(literal: "app:/terms?done=1"))])
        #expect(await agent.opened.allSatisfy { $0 == page })
    }

    @Test func aPageThatCannotBeShownSaysWhy() async throws {
        let page = URL(literal: "https://api.example/terms")
        let fixture = PromptFixture(Challenge(.page(.init(page))), because: .additionalStepRequired)
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        try #require(await view.prompt()?.page).open()
        let error = try #require(await attempt.value.error)
        #expect(error.code == .misconfigured && error.explanation.contains("userAgent"))
    }

    @Test func anotherSignInSupersedesTheOneThatAsks() async throws {
        let fixture = PromptFixture()
        var view = PromptView(fixture.auth)
        let first = fixture.signIn()
        let prompt = try #require(await view.prompt())
        let second = fixture.signIn(with: .naver)
        let next = try #require(await view.prompt())
        #expect(await first.value.error?.code == .superseded)
        #expect(next.id != prompt.id && next.provider == .naver && !prompt.isOpen)
        prompt.code?.submit("123456")
        prompt.cancel()
        next.code?.submit("123456")
        #expect(await second.value.error == nil)
        #expect(fixture.answers.count == 1)
    }

    @Test func aSignOutEndsTheAttemptThatAsks() async throws {
        let fixture = PromptFixture()
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let prompt = try #require(await view.prompt())
        try await fixture.auth.signOut()
        #expect(await attempt.value.error?.code == .superseded && !prompt.isOpen)
    }

    @Test func cancellingTheTaskEndsTheAttempt() async throws {
        let fixture = PromptFixture()
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let prompt = try #require(await view.prompt())
        attempt.cancel()
        #expect(await attempt.value.error?.code == .cancelled && !prompt.isOpen)
        #expect(try #require(await view.next()) == nil)
    }

    @Test func readersEndWithTheService() async throws {
        var fixture: PromptFixture? = PromptFixture()
        var view = PromptView(try #require(fixture?.auth))
        var log = try #require(fixture?.auth.prompts).makeAsyncIterator()
        #expect(try #require(await view.next()) == nil)
        #expect(try #require(await log.next()) == nil)
        fixture = nil
        #expect(await view.next() == nil)
        #expect(await log.next() == nil)
    }

    @Test func aChainMadeByHandAsksToo() async throws {
        let fixture = PromptFixture()
        var view = PromptView(fixture.auth)
        let manager = fixture.auth.manager
        let signIn = AuthSignIn(repository: fixture.repository, manager: manager)
        let attempt = Task { try await ScriptedProvider(.kakao).authenticate().flatMap(signIn.callAsFunction).value }
        try #require(await view.prompt()?.code).submit("123456")
        #expect(try await attempt.value.user.id == "kakao:1001")
        #expect(manager.user?.id == "kakao:1001")
    }

    @Test func anAppsOwnTestMakesAPromptAndSeesItsAnswer() {
        let answers = Lock([ChallengeAnswer]())
        let isCancelled = Lock(false)
        let prompt = AuthPrompt(
            PromptFixture.code, provider: .kakao, onAnswer: { answer in answers.withLock { $0.append(answer) } },
            onCancel: { isCancelled.withLock { $0 = true } })
        prompt.code?.submit("1")
        prompt.code?.submit("2")
        prompt.cancel()
        #expect(answers.withLock { $0 } == [.code(Secret("1"))] && isCancelled.withLock { $0 })
        #expect(!prompt.isOpen)
    }
}

/// A user agent whose person closes the first page, or follows each.
@MainActor private final class ClosingAgent: UserAgent {
    private(set) var opened: [URL] = []
    private var closes: Bool

    init(closesFirst: Bool) { closes = closesFirst }

    func authorize(_ page: AuthorizationPage) async throws(AuthError) -> AuthorizationAnswer {
        guard case .redirect(let callback) = page.redirect else {
            throw AuthError(.unexpected, "The page has no URL of the app.")
        }
        opened.append(page.url(redirectURI: callback))
        if closes {
            closes = false
            throw AuthError(.cancelled, "The person closed the page.")
        }
        let answer = callback.appending(queryItems: [.init(name: "done", value: "1")])
        guard page.accepts(answer, redirectURI: callback) else { throw AuthError(.unexpected, "It is not accepted.") }
        return AuthorizationAnswer(url: answer, redirectURI: callback)
    }
}
