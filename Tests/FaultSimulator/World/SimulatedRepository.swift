import AuthStreams
import Foundation

/// The library's repository for an app's own server, over the simulated network.
struct SimulatedRepository: AuthRepository {
    let refreshTokenRule: RefreshTokenRule
    private let server: ServerRepository
    private let process: AppProcess

    init(_ process: AppProcess, line: NetworkLine, clock: AuthClock) {
        self.process = process
        let plan = process.world.plan
        refreshTokenRule = plan.rule
        var contract = ServerContract()
        contract.revocableProviders = plan.revokesAccess ? [.kakao] : []
        server = ServerRepository(
            at: Self.base, contract: contract, transport: plan.challenges == nil ? line : StepLine(line: line),
            clock: clock)
    }

    private static let base = URL(literal: "https://server.test/api")

    func accepts(_ provider: ProviderID) -> Bool { server.accepts(provider) }
    func signIn(with credential: Credential) async throws(AuthError) -> AuthSession {
        looked(at: try await proving(credential) { try await server.signIn(with: credential) })
    }

    /// Whether the server made the user just now is told as the server told it.
    private func looked(at session: AuthSession) -> AuthSession {
        let world = process.world
        if let token = TokenName(session.accessToken.reveal()),
            session.isNewUser != (world.server.families[token.family].isNew && token.number == 0)
        {
            world.broke(.newUserIsTold, "a sign-in brings \(session.user.id), new: \(session.isNewUser).")
        }
        return session
    }

    func refresh(_ session: AuthSession) async throws(AuthError) -> AuthSession { try await server.refresh(session) }
    func signOut(_ session: AuthSession) async throws(AuthError) { try await server.signOut(session) }
    func deleteAccount(_ session: AuthSession) async throws(AuthError) {
        try await server.deleteAccount(session)
        await tidyUp()
    }

    /// A repository may have more to do once the account is gone, and another user may sign in meanwhile.
    private func tidyUp() async {
        let (process, world) = (process, process.world)
        guard !world.isCalm, process.isAlive, world.chance.oneIn(2) else { return }
        let reply = process.reply(orElse: ())
        world.after(world.chance.pick(500, 2000, 10_000), of: process.id) { _ = reply.give(()) }
        await reply.wait()
    }

    func signInAnonymously() async throws(AuthError) -> AuthSession { looked(at: try await server.signInAnonymously()) }
    func adopt(_ adoptable: AdoptableSession) async throws(AuthError) -> AuthSession {
        if let other = process.world.otherSDK, !other.isSupported {
            process.conduct.adoptionFailed(lasting: adoptable.user == nil)
            throw AuthError(.unsupportedProvider, "The app is configured wrongly.")
        }
        return try await server.adopt(adoptable)
    }
    func signOutEverywhere(_ session: AuthSession) async throws(AuthError) {
        try await server.signOutEverywhere(session)
    }
    func link(_ credential: Credential, to session: AuthSession) async throws(AuthError) -> AuthSession {
        try await proving(credential) { try await server.link(credential, to: session) }
    }
    func unlink(_ provider: ProviderID, from session: AuthSession) async throws(AuthError) -> AuthSession {
        try await server.unlink(provider, from: session)
    }
    func reauthenticate(_ session: AuthSession, with credential: Credential) async throws(AuthError) -> AuthSession {
        try await proving(credential) { try await server.reauthenticate(session, with: credential) }
    }
    func revokesAccess(at provider: ProviderID) -> Bool { server.revokesAccess(at: provider) }
    func revokeAccess(with credential: Credential, of session: AuthSession) async throws(AuthError) {
        try await server.revokeAccess(with: credential, of: session)
    }

    // MARK: Further steps

    /// Sends the person's answer in the place of the request that it answers.
    func answer(
        _ challenge: Challenge, with answer: ChallengeAnswer, in session: AuthSession?
    ) async throws(AuthError) -> AuthSession {
        let provider = challenge.context["provider"].map { ProviderID(rawValue: $0.reveal()) } ?? .kakao
        let credential = Credential(
            provider: provider, idToken: challenge.context["idToken"] ?? Identity(0).idToken,
            userID: challenge.context["userID"]?.reveal(), isBound: true)
        let number = Int(challenge.pendingToken?.reveal().dropFirst() ?? "") ?? -1
        let answer = StepAnswer(number, answer.kind)
        return try await proving(credential) {
            try await StepLine.$answer.withValue(answer) {
                guard let session else { return looked(at: try await server.signIn(with: credential)) }
                var next = try await server.reauthenticate(session, with: credential)
                if next.provider == .anonymous, challenge.context["provider"] != nil { next.provider = provider }
                return next
            }
        }
    }

    /// Remembers in a challenge which credential was sent.
    private func proving(
        _ credential: Credential, _ send: () async throws -> AuthSession
    ) async throws(AuthError) -> AuthSession {
        do { return try await send() } catch {
            var error = AuthError(wrapping: error)
            error.challenge?.context = [
                "provider": Secret(credential.provider.rawValue), "idToken": credential.idToken ?? Secret(""),
                "userID": Secret(credential.userID ?? ""),
            ]
            throw error
        }
    }
}

/// Reads the server's wish for a further step, and sends an answer in the place of the request that it answers.
private struct StepLine: AuthHTTPTransport {
    let line: NetworkLine
    @TaskLocal static var answer: StepAnswer?

    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        var request = request
        if let answer = Self.answer {
            (request.url, request.body) = (Self.url, answer.body)
        }
        let response = try await line.send(request)
        if let text = ChallengeText(response) { throw text.error }
        return response
    }

    private static let url = URL(literal: "https://server.test/api/step")
}

extension ChallengeAnswer {
    fileprivate var kind: StepAnswer.Kind {
        switch self {
        case .code(let code): StepAnswer.Kind(rawValue: code.reveal()) ?? .wrong
        case .form(let values): values["nickname"].flatMap { StepAnswer.Kind(rawValue: $0.reveal()) } ?? .wrong
        default: .resend
        }
    }
}
