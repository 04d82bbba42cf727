import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// Attempts that the person did not tap: the state shows them from their answer on, and every other sign-in takes their place.
@Suite struct QuietSignInTests {
    /// The person's answers to the questions that are open.
    private let asked = Promise<Void>()
    private let answer = Promise<Result<Credential, AuthError>>()

    private func service(
        _ store: any SessionStore = MemorySessionStore(), _ repository: ScriptedRepository = ScriptedRepository()
    ) -> AuthService {
        let passkeys = ScriptedProvider(.passkey, methodKinds: [.sheet, .immediate, .conditional]) {
            [asked, answer] request in
            request.onStep(.presenting)
            asked.resolve(())
            guard let answer = await answer.value() else { throw AuthError.cancelled }
            return try answer.get()
        }
        return AuthService(
            repository: repository, providers: [passkeys, ScriptedProvider(.kakao)], store: store,
            callbacks: CallbackRouter())
    }

    private func ask(
        _ auth: AuthService, _ kind: SignInMethod.Kind = .conditional
    ) -> Task<Result<AuthUser, AuthError>, Never> {
        Task { await auth.signIn(with: .passkey, using: kind).map(\.user).result }
    }

    private static let credential = Credential.assertion(["id": "AQ"])

    @Test(arguments: [SignInMethod.Kind.immediate, .conditional])
    func stateShowsTheAnswerAndNotTheQuestion(_ kind: SignInMethod.Kind) async throws {
        let auth = service()
        var states = auth.states.makeAsyncIterator()
        while let state = await states.next(), state != .signedOut(nil) {}
        let attempt = ask(auth, kind)
        _ = await asked.value()
        #expect(auth.state == .signedOut(nil))
        answer.resolve(.success(Self.credential))
        let user = try await attempt.value.get()
        #expect(await states.next() == .signingIn(.passkey, .establishingSession))
        #expect(await states.next() == .signedIn(user, .verified))
        // Its button is the sheet's.
        #expect(auth.lastSignIn == SignInMethod(.passkey, using: .sheet))
    }

    @Test func questionWithoutAnAnswerLeavesNoTrace() async throws {
        let auth = service()
        var events = auth.events.makeAsyncIterator()
        let attempt = ask(auth)
        answer.resolve(.failure(AuthError(.noPasskey, "There is none.")))
        #expect(await attempt.value.code == .noPasskey && auth.state.user == nil)
        _ = try await auth.signIn(with: .kakao).value
        while let event = await events.next(), event.kind != .signInSucceeded { #expect(event.provider != .passkey) }
        #expect(auth.user != nil)
    }

    @Test func anotherSignInTakesItsPlace() async throws {
        let auth = service()
        let attempt = ask(auth)
        _ = await asked.value()
        _ = try await auth.signIn(with: .kakao).value
        let error = AuthError(.superseded, "")
        #expect(await attempt.value.code == error.code && auth.user?.id == "kakao:1001")
    }

    @Test func storedSessionEndsTheQuestionAtLaunch() async throws {
        let store = FaultySessionStore()
        try await store.write(SessionRecord(AuthSession.sample(user: "ada")).data(), for: .session)
        let reading = store.hold(.read, of: .session)
        let auth = service(store)
        let attempt = ask(auth, .immediate)
        _ = await asked.value()
        #expect(auth.state == .restoring(.reading))
        await reading.reached()
        reading.release()
        #expect(await attempt.value.code == .superseded && auth.user?.id == "ada")
    }

    @Test func withoutARouteNothingIsAsked() async throws {
        let auth = service(MemorySessionStore(), ScriptedRepository(accepting: [.kakao]))
        #expect(await ask(auth).value.code == .unsupportedProvider && asked.current == nil)
    }

    @Test func taskThatIsCancelledEndsIt() async throws {
        let auth = service()
        for await state in auth.states where state == .signedOut(nil) { break }
        let attempt = ask(auth)
        _ = await asked.value()
        attempt.cancel()
        #expect(await attempt.value.code == .cancelled && auth.state == .signedOut(nil))
    }
}

extension Result where Failure == AuthError {
    fileprivate var code: AuthError.Code? { if case .failure(let error) = self { error.code } else { nil } }
}
