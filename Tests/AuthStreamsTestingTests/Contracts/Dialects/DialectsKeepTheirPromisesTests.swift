import AuthStreams
import AuthStreamsTesting
import TestSupport
import Testing

/// The repository keeps what it promises with servers that exist, over real sockets.
@Suite(.limitedParallelization) struct DialectsKeepTheirPromisesTests {
    /// Unless all are played, each promise is tried with one of the seven servers.
    private static func checks(_ dialect: Int) -> [ContractCheck<AuthRepositoryContract>] {
        TestVolume.part(dialect, of: 7, AuthRepositoryContract.checks)
    }

    @Test(arguments: checks(0))
    func envelopeWithErrorsIn200(keepsThePromise promise: ContractCheck<AuthRepositoryContract>) async throws {
        try await verify(promise, with: EnvelopeDialect.self)
    }

    @Test(arguments: checks(1))
    func tokensInHeaderFields(keepThePromise promise: ContractCheck<AuthRepositoryContract>) async throws {
        try await verify(promise, with: HeaderDialect.self)
    }

    @Test(arguments: checks(2))
    func reissueOfTheAccessTokenAlone(keepsThePromise promise: ContractCheck<AuthRepositoryContract>) async throws {
        try await verify(promise, with: ReissueDialect.self)
    }

    @Test(arguments: checks(3))
    func nestedNamesAndRefreshByBearer(keepThePromise promise: ContractCheck<AuthRepositoryContract>) async throws {
        try await verify(promise, with: SnakeDialect.self)
    }

    @Test(arguments: checks(4))
    func businessCodesIn200(keepThePromise promise: ContractCheck<AuthRepositoryContract>) async throws {
        try await verify(promise, with: BusinessDialect.self)
    }

    @Test(arguments: checks(5))
    func djangoWithJSONWebTokens(keepsThePromise promise: ContractCheck<AuthRepositoryContract>) async throws {
        try await verify(promise, with: DjangoDialect.self)
    }

    @Test(arguments: checks(6))
    func nodeWithACookie(keepsThePromise promise: ContractCheck<AuthRepositoryContract>) async throws {
        try await verify(promise, with: NodeDialect.self)
    }

    private func verify(
        _ promise: ContractCheck<AuthRepositoryContract>, with dialect: (some Dialect).Type
    ) async throws {
        let report = try await EmulatedBackend.run { backend in
            let dialect = dialect.init()
            let server = try DialectServer(dialect, before: backend)
            defer { withExtendedLifetime(server) {} }
            return try await contract(of: dialect, at: server, before: backend).verify(promise)
        }
        #expect(report.skipped.allSatisfy { $0.reason == "the repository throws no challenge" })
    }

    private func contract(
        of dialect: some Dialect, at server: DialectServer, before backend: EmulatedBackend
    ) -> AuthRepositoryContract {
        let (emulator, base) = (backend.emulator, server.base)
        return AuthRepositoryContract {
            .init(
                network: .can(URLSessionTransport.untimed()),
                repository: {
                    ServerRepository(
                        at: base, contract: dialect.contract, accepting: [.google, .kakao], members: dialect.members,
                        transport: $0, clock: emulator.configuration.clock)
                },
                credential: { try await backend.credential(of: \.google) },
                badCredential: .can {
                    Credential(provider: .google, idToken: Secret("no.id.token"), rawNonce: Secret("nonce"))
                },
                unroutedProvider: .can("example.com"),
                console: .init(
                    revoke: .can { emulator.server.revokeSessions(of: dialect.documentedID($0.id)) },
                    disable: .can { emulator.server.disable(dialect.documentedID($0.id)) },
                    delete: .can { emulator.server.delete(dialect.documentedID($0.id)) },
                    takesAccessToken: .can { emulator.server.accepts(accessToken: dialect.documentedToken($0)) },
                    givesRefreshTokens: .can(()), endsSessionsAtSignOut: .can(()), adopts: .can(())),
                changes: .init(
                    reloading: .can { user, name in
                        emulator.server.rename(dialect.documentedID(user.id), to: name)
                    }, profile: .can(()), linking: .can { try await backend.credential(of: \.kakao) },
                    reauthentication: .can(()),
                    strangers: .can { try await backend.credential(of: \.google, as: "100000000000000001002") },
                    aging: .can { backend.clock.advance(by: .seconds(301)) }, anonymousUsers: .can(()),
                    signingOutEverywhere: .can(()),
                    revocation: .can { emulator.grantsAccess(at: $0.provider, to: $0.userID ?? "") }))
        }
    }
}
