import AuthStreams
import AuthStreamsApple
import AuthStreamsTesting
import Foundation
import TestSupport

/// A service whose server asks for one step after the other before it signs in.
@MainActor
struct PromptsFixture {
    /// A step, and the answer with which the server goes to the next one.
    struct Step: Sendable {
        var challenge: Challenge
        var answer: ChallengeAnswer

        init(_ step: Challenge.Step, expiresIn: Duration? = nil, answer: ChallengeAnswer) {
            challenge = Challenge(step, expiresIn: expiresIn)
            self.answer = answer
        }
    }

    nonisolated static let start = Date(timeIntervalSince1970: 1_800_000_000)
    nonisolated static let code = Step(
        .code(.init(to: "a•••@example.com", length: 6, resendAfter: .seconds(30))), expiresIn: .seconds(300),
        answer: .code(Secret("123456")))
    nonisolated static let factors = Step(
        .factors([.init(id: "1", kind: "totp", name: "iPhone"), .init(id: "2", kind: "sms")]), answer: .factor("2"))

    let clock = ManualClock()
    let repository: ScriptedRepository
    let auth: AuthService

    /// - Parameter failure: How the server refuses a wrong answer.
    init(_ steps: Step..., failure: AuthError.Code = .codeMismatch) {
        let asked = steps.indices.map { index in
            var challenge = steps[index].challenge
            challenge.context = ["step": Secret("\(index)")]
            return challenge
        }
        var account = ScriptedAccount()
        account.answer = { challenge, answer, session in
            let index = Int(challenge.context["step"]?.reveal() ?? "") ?? 0
            if answer == .resend {
                throw AuthError(.verificationRequired, "Another code was sent.", challenge: challenge)
            }
            guard answer == steps[index].answer else {
                throw AuthError(failure, "The answer is wrong.", challenge: challenge)
            }
            guard index + 1 < asked.count else { return session ?? Self.session }
            throw AuthError(.additionalStepRequired, "The next step.", challenge: asked[index + 1])
        }
        repository = ScriptedRepository(
            establish: { credential in
                guard let first = asked.first else { return ScriptedRepository.session(of: credential) }
                throw AuthError(.secondFactorRequired, "The server wants more.", challenge: first)
            }, account: account)
        auth = AuthService(
            repository: repository, providers: [ScriptedProvider(.kakao), ScriptedProvider(.naver)],
            store: MemorySessionStore(), callbacks: CallbackRouter(), clock: clock.authClock(startingAt: Self.start),
            userAgent: PromptPage())
    }

    nonisolated private static let session = ScriptedRepository.session(
        of: Credential(provider: .kakao, userID: "1001"))

    /// Signs in until the attempt is over.
    func signIn(with provider: ProviderID = .kakao) -> Task<AuthError.Code?, Never> {
        Task { [auth] in
            do throws(AuthError) {
                _ = try await auth.signIn(with: provider).value
                return nil
            } catch { return error.code }
        }
    }

    /// The answers that the server received.
    var answers: [ChallengeAnswer] {
        repository.calls.compactMap { if case .answer(let answer, _) = $0 { answer } else { nil } }
    }
}

/// A browser in which the person completes each page at once.
struct PromptPage: UserAgent {
    static let callback = URL(literal: "com.example.app://done")

    func authorize(_ page: AuthorizationPage) async throws(AuthError) -> AuthorizationAnswer {
        AuthorizationAnswer(url: Self.callback, redirectURI: Self.callback)
    }
}
