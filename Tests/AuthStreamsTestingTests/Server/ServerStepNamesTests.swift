import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import Testing

/// A server with names of its own for further steps, and the operations that it does not have.
@Suite struct ServerStepNamesTests {
    /// A network on which each request has the same answer.
    private final class Network: AuthHTTPTransport {
        let body: String
        private let log = Log()

        init(_ body: String) { self.body = body }

        var requests: [AuthHTTPRequest] { get async { await log.requests } }

        func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
            await log.add(request)
            return AuthHTTPResponse(status: 200, headers: [.contentType: "application/json"], body: Data(body.utf8))
        }

        private actor Log {
            private(set) var requests: [AuthHTTPRequest] = []
            func add(_ request: AuthHTTPRequest) { requests.append(request) }
        }
    }

    private func repository(_ network: Network, _ contract: ServerContract) throws -> any AuthRepository {
        let url = try #require(URL(string: "https://api.example.com"))
        return AuthRepositoryFactory.server(url, contract: contract).repository(for: .isolated(transport: network))
    }

    private func challenge(_ body: String, _ contract: ServerContract) async throws -> Challenge {
        let repository = try repository(Network(body), contract)
        let error = await #expect(throws: AuthError.self) {
            try await repository.signIn(with: .password(email: "minji@example.com", "secret"))
        }
        return try #require(error?.challenge)
    }

    @Test func factorsHaveNamesOfTheServer() async throws {
        var contract = ServerContract(offering: [.passwords])
        contract.challenge.factorID = "no"
        contract.challenge.factorKind = "type"
        contract.challenge.factorName = "title"
        let body = #"{"challenge":{"kind":"factors","token":"t","factors":[{"no":"7","type":"totp","title":"Phone"}]}}"#
        let found = try await challenge(body, contract)
        #expect(found.step == .factors([.init(id: "7", kind: "totp", name: "Phone")]))
    }

    @Test func fieldsHaveNamesOfTheServer() async throws {
        var contract = ServerContract(offering: [.passwords])
        contract.challenge.fieldName = "key"
        contract.challenge.fieldKind = "as"
        contract.challenge.fieldKinds = ["telephone": .phone]
        contract.challenge.fieldLabel = "title"
        contract.challenge.isFieldRequired = "must"
        contract.challenge.fieldURL = "terms"
        let body =
            #"{"challenge":{"kind":"form","token":"t","fields":[{"key":"tel","as":"telephone","title":"Phone","must":false},{"key":"ok","as":"consent","terms":"https://api.example.com/terms"}]}}"#
        guard case .form(let fields) = try await challenge(body, contract).step else {
            Issue.record("It is no form.")
            return
        }
        #expect(fields.map(\.id) == ["tel", "ok"] && fields.map(\.isRequired) == [false, true])
        #expect(fields.first?.kind == .phone && fields.first?.label == "Phone")
        #expect(fields.last?.url?.path() == "/terms")
    }

    @Test(arguments: [("minji@example.com", "mail"), ("+82 10 1234 5678", "tel")])
    func addressesHaveNamesOfTheServer(address: String, name: String) async throws {
        var contract = ServerContract(offering: [.codes])
        contract.credential.emailAddress = "mail"
        contract.credential.phoneNumber = "tel"
        let network = Network(#"{"challenge":{"kind":"code","token":"t"}}"#)
        let repository = try repository(network, contract)
        await #expect(throws: AuthError.self) { try await repository.signIn(with: .code(to: address)) }
        let body = try #require(await network.requests.first?.body)
        #expect(try JSONDecoder().decode([String: AuthJSON].self, from: body)[name] == .string(address))
    }

    @Test func mailsAndPasswordsHavePathsOfTheServer() async throws {
        var contract = ServerContract()
        contract.passwordReset = .init(.post, "mails/reset")
        contract.emailVerification = .init(.post, "mails/verify")
        contract.passwordChange = .init(.put, "me/password")
        let network = Network(#"{"user":{"id":"u1"}}"#)
        let repository = try repository(network, contract)
        let session = AuthSession(
            accessToken: Secret("token"), refreshToken: nil, expiresAt: nil, user: AuthUser(id: "u1"),
            provider: .password)
        _ = try await repository.prepare(.passwordReset(to: "minji@example.com"), in: nil)
        _ = try await repository.prepare(.emailVerification, in: session)
        _ = try await repository.apply(.setPassword(Secret("next")), to: session)
        #expect(await network.requests.map { $0.url.path() } == ["/mails/reset", "/mails/verify", "/me/password"])
    }

    /// A repository that has none of it says so, by the operation.
    @Test func whatIsNotOfferedIsNamed() async throws {
        let auth = AuthService(
            .repository(PlainRepository()), providers: [.provider(ScriptedProvider(.kakao))], platform: .isolated())
        _ = try await auth.signIn(with: .kakao).value
        var operations: [AuthOperation?] = []
        let calls: [@Sendable () async throws -> Void] = [
            { try await auth.sendPasswordReset(to: "minji@example.com") }, { try await auth.sendEmailVerification() },
            { _ = try await auth.changePassword(to: "next").value },
            { _ = try await auth.removeSecondFactor("1").value },
        ]
        for call in calls {
            let error = await #expect(throws: AuthError.self) { try await call() }
            #expect(error?.code == .unsupportedProvider)
            operations.append(error?.operation)
        }
        #expect(operations == [.passwordReset, .emailVerification, .passwordChange, .factorRemoval])
    }

    /// A provider reads what a server wants of the authentication.
    @Test func aProviderIsToldTheContexts() async throws {
        let provider = ScriptedProvider(.kakao) { request in
            #expect(request.acrValues == ["phr"] && request.maximumAge == .seconds(60))
            return Credential(provider: .kakao, idToken: Secret("token"), userID: "1", isBound: true)
        }
        let request = AuthRequest(acrValues: ["phr"], maximumAge: .seconds(60))
        #expect(try await provider.authenticate(request).value.provider == .kakao)
    }

    @Test func theEmulatedServerIsConfigured() async throws {
        var configuration = EmulatorConfiguration()
        configuration.server.challengeLifetime = .seconds(120)
        configuration.server.codeLifetime = .seconds(60)
        configuration.server.codeAttempts = 1
        configuration.server.pageCallback = "app://step"
        try await withEmulator(configuration) { emulator in
            let repository = ServerRepository.emulated(at: emulator.baseURL)
            let account = Credential.password(email: "minji@example.com", "correct horse")
            _ = try await repository.signUp(with: account)
            _ = try await repository.signIn(with: account)
            let error = await #expect(throws: AuthError.self) {
                try await repository.signIn(with: .code(to: "minji@example.com"))
            }
            let challenge = try #require(error?.challenge)
            #expect(challenge.attemptsLeft == 1 && challenge.expiresIn == .seconds(120))
            #expect(emulator.messages.last?.recipient == "minji@example.com")
            for endpoint in [EmulatorEndpoint.serverSignUp, .serverPassword] {
                emulator.inject(.status(503), at: endpoint)
            }
            let refused = await #expect(throws: AuthError.self) { try await repository.signUp(with: account) }
            let failed = await #expect(throws: AuthError.self) { try await repository.signIn(with: account) }
            #expect(refused?.code == .server && failed?.code == .server)
        }
    }
}

/// A repository that does the least.
private struct PlainRepository: AuthRepository {
    func accepts(_ provider: ProviderID) -> Bool { true }
    func signIn(with credential: Credential) async throws(AuthError) -> AuthSession {
        ScriptedRepository.session(of: credential)
    }
    func refresh(_ session: AuthSession) async throws(AuthError) -> AuthSession { session }
    func signOut(_ session: AuthSession) async throws(AuthError) {}
    func deleteAccount(_ session: AuthSession) async throws(AuthError) {}
}
