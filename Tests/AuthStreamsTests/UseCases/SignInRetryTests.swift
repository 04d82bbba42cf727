import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// When the request of a sign-in is repeated with the same credential.
@Suite struct SignInRetryTests {
    private let clock = ManualClock()
    private let asked = Lock(0)
    private static let tokens = Credential(provider: .kakao, idToken: Secret("token"), userID: "1")
    private static let code = Credential(provider: .naver, authorizationCode: .init(code: Secret("code")), userID: "1")

    /// Signs in at a server that fails with these errors, one after the other, and then no more.
    private func signIn(
        with credential: Credential, after errors: [AuthError]
    ) async throws -> (result: Result<SignInResult, AuthError>, requests: Int) {
        let left = Lock(errors)
        let repository = ScriptedRepository(establish: { credential in
            if let error = left.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw error }
            return ScriptedRepository.session(of: credential)
        })
        let provider = ScriptedProvider(credential.provider) { [asked] _ in
            asked.withLock { $0 += 1 }
            return credential
        }
        let auth = AuthService(
            repository: repository, providers: [provider], store: MemorySessionStore(), callbacks: CallbackRouter(),
            clock: clock.authClock(startingAt: .distantPast))
        let pauses = Task { [clock] in
            while !Task.isCancelled {
                await clock.waitForSleepers(count: 1)
                clock.advanceToNextSleeper()
                await Task.yield()
            }
        }
        defer { pauses.cancel() }
        let result = await auth.signIn(with: credential.provider).result
        return (result, repository.calls.count { $0 == .signIn(credential.provider) })
    }

    @Test func troubleOnTheWayDoesNotAskThePersonAgain() async throws {
        let (result, requests) = try await signIn(
            with: Self.tokens, after: [AuthError(.network, "Cut."), AuthError(.server, "Down.")])
        #expect(try result.get().user.id == "kakao:1")
        #expect(requests == 3 && asked.withLock { $0 } == 1)
    }

    @Test func thirdFailureIsReported() async throws {
        let errors = (1...3).map { AuthError(.network, "Cut.", serverCode: "\($0)") }
        let (result, requests) = try await signIn(with: Self.tokens, after: errors)
        #expect(result.error?.serverCode == "3" && requests == 3)
    }

    /// Tokens with the one-time code that Google issues for the server.
    private static let codeForTheServer = Credential(
        provider: .google, idToken: Secret("token"), accessToken: Secret("token"), serverAuthCode: Secret("code"),
        userID: "1")
    private static let pendingToken = Credential(
        provider: .google, idToken: Secret("token"), userID: "1", pendingToken: Secret("pending"))

    @Test(arguments: [AuthError.Code.network, .server], [code, codeForTheServer, pendingToken])
    func oneTimeCodeIsNotSentAgain(failure: AuthError.Code, credential: Credential) async throws {
        let (result, requests) = try await signIn(with: credential, after: [AuthError(failure, "Cut.")])
        #expect(result.error?.code == failure && requests == 1)
    }

    @Test func requestThatTheServerDidNotLookAtIsSentAgain() async throws {
        let limit = AuthError(.rateLimited, "Later.", retryAfter: .seconds(5))
        let (result, requests) = try await signIn(with: Self.code, after: [limit])
        #expect(result.error == nil && requests == 2)
        #expect(clock.now.offset >= .seconds(5))
    }

    @Test func longPauseIsThePersonsToDecide() async throws {
        let limit = AuthError(.rateLimited, "Later.", retryAfter: .seconds(60))
        let (result, requests) = try await signIn(with: Self.tokens, after: [limit])
        #expect(result.error?.code == .rateLimited && requests == 1)
    }

    @Test(arguments: [AuthError.Code.invalidCredential, .nonceMismatch])
    func refusalOfTheSecondRequestDoesNotHideTheFirst(refusal: AuthError.Code) async throws {
        let (result, requests) = try await signIn(
            with: Self.tokens, after: [AuthError(.network, "Cut."), AuthError(refusal, "Used.")])
        #expect(result.error?.code == .network && requests == 2)
    }

    /// An answer that another app made up is followed by the person's own, at the same attempt.
    @Test(arguments: [AuthError.Code.invalidCredential, .nonceMismatch, .invalidIDToken])
    func refusedCredentialIsReplacedByTheNext(code: AuthError.Code) async throws {
        let refused = Lock([AuthError]())
        var credential = Self.code
        credential.replacement = .init { error in
            if let error = error as? AuthError { refused.withLock { $0.append(error) } }
            return Credential(provider: .naver, authorizationCode: .init(code: Secret("own")), userID: "2")
        }
        let (result, requests) = try await signIn(with: credential, after: [AuthError(code, "No such code.")])
        #expect(try result.get().user.id == "naver:2")
        #expect(requests == 2 && asked.withLock { $0 } == 1)
        #expect(refused.withLock { $0.map(\.code) } == [code])
    }

    @Test(arguments: [AuthError.Code.network, .server, .misconfigured, .userDisabled, .accountExists])
    func otherErrorReplacesNoCredential(code: AuthError.Code) async throws {
        var credential = Self.code
        credential.replacement = .init { _ in
            Issue.record("Only a refusal of the credential resumes the wait.")
            return Self.code
        }
        let (result, requests) = try await signIn(with: credential, after: [AuthError(code, "No.")])
        #expect(result.error?.code == code && requests == 1)
    }

    @Test(arguments: [AuthError.Code.invalidCredential, .userDisabled, .misconfigured, .timedOut, .unexpected])
    func otherErrorIsReportedAtOnce(code: AuthError.Code) async throws {
        let (result, requests) = try await signIn(with: Self.tokens, after: [AuthError(code, "No.")])
        #expect(result.error?.code == code && requests == 1)
    }

    @Test func resultSaysWhetherTheUserIsNewAndByWhichProvider() async throws {
        let repository = ScriptedRepository(establish: { credential in
            var session = ScriptedRepository.session(of: credential)
            session.isNewUser = true
            return session
        })
        let auth = AuthService(
            repository: repository, providers: [], store: MemorySessionStore(), callbacks: CallbackRouter())
        let chain = ScriptedProvider(.kakao).authenticate().flatMap(auth.signIn(credential:))
        let signIn = try await chain.value
        #expect(signIn.isNewUser && signIn.provider == .kakao && auth.user == signIn.user)
    }
}
