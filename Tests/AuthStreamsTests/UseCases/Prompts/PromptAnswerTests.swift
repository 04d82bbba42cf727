import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// The answers of a prompt: those that are asked again, and those that are not sent.
@Suite struct PromptAnswerTests {
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
}
