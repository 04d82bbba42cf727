import AuthStreams
import AuthStreamsOAuth
import AuthStreamsSupabase
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// A service in front of the emulated Supabase project, and a person who reads the project's mails.
struct SupabaseVisit: Sendable {
    let backend: EmulatedBackend
    let repository: SupabaseRepository
    let auth: AuthService

    var supabase: EmulatedSupabase { backend.emulator.supabase }
    var clock: ManualClock { backend.clock }
    var now: Date { backend.emulator.configuration.clock.date }

    static let address = "minji@example.com"
    static let password = Credential.password(email: address, "correct horse")

    init(_ backend: EmulatedBackend) {
        self.backend = backend
        let clock = backend.emulator.configuration.clock
        repository = .emulated(
            at: backend.emulator.baseURL, project: backend.emulator.configuration.supabase,
            transport: backend.transport, clock: clock)
        auth = AuthService(
            .repository(repository),
            providers: [.password, .emailLink(continueURL: URL(literal: "https://app.example/link"))],
            platform: .isolated(transport: backend.transport, clock: clock))
    }

    /// The rules of a project.
    struct Rules: Sendable {
        let change: @Sendable (inout EmulatorConfiguration.Supabase) -> Void

        init(_ change: @escaping @Sendable (inout EmulatorConfiguration.Supabase) -> Void) { self.change = change }

        /// It confirms no addresses, so that a sign-up gives a session.
        static let open = Rules { $0.confirmsEmail = false }
        /// It confirms addresses, as a new project does.
        static let confirming = Rules { _ in }
    }

    /// Runs a test at a project.
    static func run(_ rules: Rules = .open, _ body: (SupabaseVisit) async throws -> Void) async throws {
        let change: (inout EmulatorConfiguration) -> Void = { rules.change(&$0.supabase) }
        try await EmulatedBackend.run(change) { try await body(SupabaseVisit($0)) }
    }

    /// The code of the message that was sent last.
    var lastCode: Secret { get throws { try #require(supabase.messages.last?.code) } }

    /// The codes that were not sent.
    var wrongCode: String { get throws { try lastCode.reveal() == "000000" ? "111111" : "000000" } }

    /// A credential of Google's whose token has the nonce hashed, as the providers request it for Supabase.
    func google(_ id: String = "1001", _ changes: [String: AuthJSON] = [:]) -> Credential {
        let nonce = UUID().uuidString
        let claims: [String: AuthJSON] = ["sub": .string(id), "nonce": .string(SHA256.hex(nonce))]
        return Credential(
            provider: .google, idToken: Secret(backend.googleToken(claims.merging(changes) { $1 })),
            rawNonce: Secret(nonce))
    }

    func kakao(_ id: String = "k1") -> Credential {
        let nonce = UUID().uuidString
        let token = backend.kakaoToken([
            "sub": .string(id), "nonce": .string(SHA256.hex(nonce)), "email": .string("\(id)@kakao.example"),
        ])
        return Credential(provider: .kakao, idToken: Secret(token), rawNonce: Secret(nonce))
    }

    /// The claims of an access token.
    func claims(_ session: AuthSession) throws -> AuthJSON { try #require(JSONWebToken(session.accessToken)).claims }

    /// The challenge of a call that has to ask.
    func challenge<Value>(
        of call: () async throws(AuthError) -> Value, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Challenge {
        try #require(await error(of: call)?.challenge, sourceLocation: sourceLocation)
    }
}
