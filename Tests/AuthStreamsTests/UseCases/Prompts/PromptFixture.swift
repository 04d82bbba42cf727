import AuthStreamsTesting
import Foundation
import TestSupport

@testable import AuthStreams

/// A service whose server wants a further step of each sign-in, and decides about each answer as the test says.
struct PromptFixture: Sendable {
    typealias Decision = @Sendable (Challenge, ChallengeAnswer, AuthSession?) async throws -> AuthSession

    static let code = Challenge(.code(.init(to: "a•••@example.com", length: 6)), pendingToken: Secret("pending-1"))
    static let start = Date(timeIntervalSince1970: 1_800_000_000)

    let clock = ManualClock()
    let repository: ScriptedRepository
    let auth: AuthService
    let store = MemorySessionStore()

    /// - Parameters:
    ///   - challenge: What a sign-in is answered with; `nil` for a session.
    ///   - account: The other operations.
    ///   - answer: The server's decision; it accepts the code 123456 unless given, and otherwise asks again.
    init(
        _ challenge: Challenge? = PromptFixture.code, because code: AuthError.Code = .secondFactorRequired,
        provider: ScriptedProvider = ScriptedProvider(.kakao), account: ScriptedAccount = ScriptedAccount(),
        userAgent: (any UserAgent)? = nil, answer: Decision? = nil
    ) {
        var account = account
        account.answer =
            answer ?? { challenge, answer, session in
                guard answer == .code(Secret("123456")) else {
                    throw AuthError(.codeMismatch, "The code is wrong.", challenge: challenge)
                }
                return session ?? Self.session
            }
        repository = ScriptedRepository(
            establish: { credential in
                guard let challenge else { return ScriptedRepository.session(of: credential) }
                throw AuthError(code, "The server wants more.", challenge: challenge)
            }, account: account)
        auth = AuthService(
            repository: repository, providers: [provider, ScriptedProvider(.naver)], store: store,
            callbacks: CallbackRouter(), clock: clock.authClock(startingAt: Self.start), userAgent: userAgent)
    }

    static let session = ScriptedRepository.session(of: Credential(provider: .kakao, userID: "1001"))

    /// Signs in until the attempt is over.
    func signIn(with provider: ProviderID = .kakao) -> Task<Result<AuthUser, AuthError>, Never> {
        Task { [auth] in
            do throws(AuthError) { return .success(try await auth.signIn(with: provider).value.user) } catch {
                return .failure(error)
            }
        }
    }

    /// The answers that the server received.
    var answers: [ChallengeAnswer] {
        repository.calls.compactMap { if case .answer(let answer, _) = $0 { answer } else { nil } }
    }
}

extension Result where Failure == AuthError {
    var error: AuthError? { if case .failure(let error) = self { error } else { nil } }
}
