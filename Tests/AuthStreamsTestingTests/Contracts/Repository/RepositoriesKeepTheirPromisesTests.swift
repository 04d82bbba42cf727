import AuthStreams
import AuthStreamsFirebase
import AuthStreamsOAuth
import AuthStreamsSupabase
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// Every repository of ours keeps what a repository promises.
@Suite struct RepositoriesKeepTheirPromisesTests {
    @Test(arguments: TestVolume.part(0, of: 2, AuthRepositoryContract.checks))
    func firebase(keepsThePromise promise: ContractCheck<AuthRepositoryContract>) async throws {
        let report = try await EmulatedBackend.run {
            try await firebase(at: $0, over: $0.transport).verify(promise)
        }
        #expect(report.skipped.allSatisfy { $0.reason == "Firebase hears of no sign-out" })
    }

    @Test(arguments: AuthRepositoryContract.checks)
    func server(keepsThePromise promise: ContractCheck<AuthRepositoryContract>) async throws {
        let report = try await EmulatedBackend.run {
            try await server(at: $0, over: $0.transport).verify(promise)
        }
        #expect(report.skipped == [])
    }

    @Test(arguments: AuthRepositoryContract.checks)
    func openID(keepsThePromise promise: ContractCheck<AuthRepositoryContract>) async throws {
        let report = try await EmulatedBackend.run {
            try await openID(at: $0).verify(promise)
        }
        #expect(report.skipped.allSatisfy { [Self.withoutOpenID, withoutChallenges].contains($0.reason) })
    }

    private let withoutChallenges = "the repository throws no challenge"
    private static let withoutOpenID = "OpenID Connect has nothing for it"

    private func openID(at backend: EmulatedBackend) -> AuthRepositoryContract {
        let (emulator, cannot) = (backend.emulator, Self.withoutOpenID)
        let clock = emulator.configuration.clock
        let account = emulator.url(for: "https://id.pulseboard.example/realms/main/account")
        return AuthRepositoryContract {
            .init(
                network: .can(backend.transport),
                repository: { network in
                    OpenIDRepository(
                        for: OpenIDProvider(
                            .keycloak(
                                realm: "main", at: emulator.url(for: "https://id.pulseboard.example"),
                                clientID: emulator.configuration.issuer.clientID,
                                redirect: .loopback(path: "/callback/openid")),
                            redeemer: .repository, userAgent: UnusedAgent(), transport: network, clock: clock),
                        deletingAccountsBy: { token in
                            let response = try await network.send(
                                AuthHTTPRequest(.delete, account, headers: [.authorization: "Bearer \(token.reveal())"])
                            )
                            guard response.isSuccess else { throw AuthError(.server, "The issuer deleted nothing.") }
                        })
                },
                credential: { try await backend.credential(of: \.openIDCode) },
                badCredential: .can {
                    Credential(
                        provider: "keycloak", rawNonce: Secret("nonce"),
                        authorizationCode: .init(code: Secret("made up")))
                },
                unroutedProvider: .can("example.com"),
                console: .init(
                    revoke: .can { emulator.issuer.revokeSessions(of: $0.id) }, disable: .cannot(cannot),
                    delete: .cannot(cannot), takesAccessToken: .can { emulator.issuer.accepts(accessToken: $0) },
                    givesRefreshTokens: .can(()), endsSessionsAtSignOut: .can(()), adopts: .can(())),
                changes: .init(
                    reloading: .can { emulator.issuer.rename($0.id, to: $1) }, profile: .cannot(cannot),
                    linking: .cannot(cannot), reauthentication: .can(()),
                    strangers: .can { try await backend.credential(of: \.openIDCode, as: "f3b7c1de-0002") },
                    aging: .cannot(cannot), anonymousUsers: .cannot(cannot), signingOutEverywhere: .cannot(cannot),
                    revocation: .cannot(cannot)))
        }
    }

    @Test(arguments: AuthRepositoryContract.checks)
    func supabase(keepsThePromise promise: ContractCheck<AuthRepositoryContract>) async throws {
        let report = try await EmulatedBackend.run(Self.withoutEmail) {
            try await supabase(at: $0, over: $0.transport).verify(promise)
        }
        #expect(report.skipped.allSatisfy { [Self.forgets, Self.withoutAge, Self.revokesNothing].contains($0.reason) })
    }

    /// Kakao's people have no address there.
    private static let withoutEmail: @Sendable (inout EmulatorConfiguration) -> Void = {
        $0.supabase.allowsUsersWithoutEmail = true
    }
    private static let forgets = "Supabase deletes the refresh tokens with the user"
    private static let withoutAge = "Supabase deletes after a sign-in of any age"
    private static let revokesNothing = "Supabase revokes nothing at the providers"

    private func supabase(at backend: EmulatedBackend, over network: some AuthHTTPTransport) -> AuthRepositoryContract {
        let emulator = backend.emulator
        let (project, clock) = (emulator.configuration.supabase, emulator.configuration.clock)
        let takes: @Sendable (Secret) async throws -> Bool = { token in
            let user = emulator.url(for: "https://authstreams.supabase.co/auth/v1/user")
            let headers: [HeaderName: String] = [
                "apikey": project.key, .authorization: "Bearer \(token.reveal())",
            ]
            return try await network.send(AuthHTTPRequest(.get, user, headers: headers)).isSuccess
        }
        return AuthRepositoryContract {
            .init(
                network: .can(network),
                repository: {
                    SupabaseRepository.emulated(at: emulator.baseURL, project: project, transport: $0, clock: clock)
                },
                credential: { try await backend.credential(of: \.google, hashingNonce: true) },
                badCredential: .can {
                    Credential(provider: .google, idToken: Secret("no.id.token"), rawNonce: Secret("nonce"))
                },
                unroutedProvider: .can(.naver),
                console: .init(
                    revoke: .can { emulator.supabase.revokeSessions(of: $0.id) },
                    disable: .can { emulator.supabase.ban($0.id) }, delete: .cannot(Self.forgets),
                    takesAccessToken: .can(takes), givesRefreshTokens: .can(()), endsSessionsAtSignOut: .can(()),
                    adopts: .can(())),
                changes: .init(
                    reloading: .can { emulator.supabase.rename($0.id, to: $1) }, profile: .can(()),
                    linking: .can { try await backend.credential(of: \.kakao, hashingNonce: true) },
                    reauthentication: .can(()),
                    strangers: .can {
                        try await backend.credential(
                            of: \.google, as: "100000000000000001002", hashingNonce: true)
                    },
                    aging: .cannot(Self.withoutAge), anonymousUsers: .can(()), signingOutEverywhere: .can(()),
                    revocation: .cannot(Self.revokesNothing)),
                challenges: .can(
                    .init(
                        credential: { .code(to: "\(UUID().uuidString)@example.com") },
                        answer: { _ in .code(try #require(emulator.supabase.messages.last?.code)) },
                        wrongAnswer: .can { _ in
                            .code(
                                emulator.supabase.messages.last?.code == Secret("000000")
                                    ? Secret("111111") : Secret("000000"))
                        })))
        }
    }

    /// The others do without a network, which changes nothing for the repositories.
    @Test func overHTTPAsWell() async throws {
        let promise = try #require(
            AuthRepositoryContract.checks.first { $0.name == "a session continues after a change of its identities" })
        try await EmulatedBackend.run(Self.withoutEmail) { backend in
            let network = URLSessionTransport.untimed()
            let contracts = [
                firebase(at: backend, over: network), server(at: backend, over: network),
                supabase(at: backend, over: network),
            ]
            for contract in contracts {
                let report = try await contract.verify(promise)
                #expect(report.kept == [promise.name])
            }
        }
    }

    /// Its sessions last as long as their access tokens, which breaks no promise.
    @Test func serverWithoutRefreshTokens() async throws {
        let reason = "this server gives none"
        let withoutRefresh: (inout EmulatorConfiguration) -> Void = { $0.server.givesRefreshTokens = false }
        var (skipped, kept) = (0, Set<String>())
        for promise in TestVolume.part(0, of: 4, AuthRepositoryContract.checks) {
            let report = try await EmulatedBackend.run(withoutRefresh) { backend in
                try await server(at: backend, over: backend.transport, givesRefreshTokens: .cannot(reason)).verify(
                    promise)
            }
            skipped += report.skipped.count { $0.reason == reason }
            kept.formUnion(report.kept)
        }
        #expect(skipped > 0 && !kept.isEmpty)
        guard TestVolume.isFull else { return }
        #expect(skipped == 13)
        #expect(kept.contains("the same person is the same user at the next sign-in"))
    }

    /// What its contract has no endpoint for is refused.
    @Test func serverThatOnlySignsIn() async throws {
        let name = "what it cannot do is refused before any request"
        let promise = try #require(AuthRepositoryContract.checks.first { $0.name == name })
        let report = try await EmulatedBackend.run { backend in
            try await server(at: backend, over: backend.transport, changes: .none("no endpoint")) { contract in
                (contract.link, contract.unlink, contract.reauthenticate) = (nil, nil, nil)
                (contract.reload, contract.updateProfile) = (nil, nil)
                (contract.signInAnonymously, contract.signOutEverywhere, contract.revokeAccess) = (nil, nil, nil)
            }.verify(promise)
        }
        #expect(report.kept == [name])
    }

    private func firebase(at backend: EmulatedBackend, over network: some AuthHTTPTransport) -> AuthRepositoryContract {
        let emulator = backend.emulator
        let takes: @Sendable (Secret) async throws -> Bool = { token in
            let lookup = emulator.url(for: "https://identitytoolkit.googleapis.com/v1/accounts:lookup")
                .appending(queryItems: [.init(name: "key", value: emulator.configuration.firebase.apiKey)])
            let body = try JSONEncoder().encode(["idToken": token.reveal()])
            let request = AuthHTTPRequest(.post, lookup, headers: [.contentType: "application/json"], body: body)
            return try await network.send(request).isSuccess
        }
        return AuthRepositoryContract {
            .init(
                network: .can(network),
                repository: {
                    FirebaseRepository.emulated(
                        at: emulator.baseURL, transport: $0, clock: emulator.configuration.clock)
                },
                credential: { try await backend.credential(of: \.google) },
                badCredential: .can {
                    Credential(provider: .google, idToken: Secret("no.id.token"), rawNonce: Secret("nonce"))
                },
                unroutedProvider: .can("example.com"),
                console: .init(
                    revoke: .can { emulator.firebase.revokeRefreshTokens(of: $0.id) },
                    disable: .can { emulator.firebase.disable($0.id) },
                    delete: .can { emulator.firebase.delete($0.id) }, takesAccessToken: .can(takes),
                    givesRefreshTokens: .can(()), endsSessionsAtSignOut: .cannot("Firebase hears of no sign-out"),
                    adopts: .can(())),
                changes: changes(at: backend) { user, name in emulator.firebase.rename(user.id, to: name) },
                challenges: .can(secondFactors(at: backend)))
        }
    }

    /// Sign-ins of users with an authenticator app, each of another one: a code works once.
    private func secondFactors(at backend: EmulatedBackend) -> AuthRepositoryContract.Challenges {
        let newest = Lock<AuthenticatorApp?>(nil)
        let code: @Sendable () throws -> String = {
            let app = try #require(newest.withLock { $0 })
            return app.code(at: backend.emulator.configuration.clock.date)
        }
        return .init(
            credential: {
                let id = UUID().uuidString
                let credential = { backend.google(id, email: .string("\(id)@example.com")) }
                let user = try await backend.repository.signIn(with: credential()).user
                newest.withLock { $0 = backend.emulator.firebase.enrollAuthenticatorApp(for: user.id) }
                return credential()
            }, answer: { _ in .code(Secret(try code())) },
            wrongAnswer: .can { _ in .code(Secret(try code() == "000000" ? "000001" : "000000")) })
    }

    private func server(
        at backend: EmulatedBackend, over network: some AuthHTTPTransport,
        givesRefreshTokens: ContractCapability<Void> = .can(()),
        changes: AuthRepositoryContract.Changes? = nil,
        _ change: @escaping @Sendable (inout ServerContract) -> Void = { _ in }
    ) -> AuthRepositoryContract {
        let emulator = backend.emulator
        let (api, clock) = (emulator.url(for: "https://api.pulseboard.example"), emulator.configuration.clock)
        return AuthRepositoryContract {
            .init(
                network: .can(network),
                repository: {
                    var contract = ServerContract(offering: .codes)
                    change(&contract)
                    return ServerRepository(
                        at: api, contract: contract, accepting: [.google, .kakao], transport: $0, clock: clock)
                },
                credential: { try await backend.credential(of: \.google) },
                badCredential: .can {
                    Credential(provider: .google, idToken: Secret("no.id.token"), rawNonce: Secret("nonce"))
                },
                unroutedProvider: .can("example.com"),
                console: .init(
                    revoke: .can { emulator.server.revokeSessions(of: $0.id) },
                    disable: .can { emulator.server.disable($0.id) },
                    delete: .can { emulator.server.delete($0.id) },
                    takesAccessToken: .can { token in
                        // Unlinking what is not linked changes nothing.
                        let request = AuthHTTPRequest(
                            .delete, api.appending(path: "auth/links/none"),
                            headers: [.authorization: "Bearer \(token.reveal())"])
                        return try await network.send(request).isSuccess
                    },
                    givesRefreshTokens: givesRefreshTokens, endsSessionsAtSignOut: .can(()), adopts: .can(())),
                changes: changes
                    ?? self.changes(at: backend) { user, name in emulator.server.rename(user.id, to: name) },
                challenges: .can(
                    .init(
                        credential: { .code(to: "minji@example.com") },
                        answer: { _ in .code(try #require(emulator.messages.last?.code)) },
                        wrongAnswer: .can { _ in
                            .code(
                                emulator.messages.last?.code == Secret("000000") ? Secret("111111") : Secret("000000"))
                        })))
        }
    }

    /// Everything that the documented contract can do.
    private func changes(
        at backend: EmulatedBackend, rename: @escaping @Sendable (AuthUser, String) async throws -> Void
    ) -> AuthRepositoryContract.Changes {
        .init(
            reloading: .can(rename), profile: .can(()),
            linking: .can { try await backend.credential(of: \.kakao) }, reauthentication: .can(()),
            strangers: .can { try await backend.credential(of: \.google, as: "100000000000000001002") },
            aging: .can { backend.clock.advance(by: .seconds(301)) }, anonymousUsers: .can(()),
            signingOutEverywhere: .can(()),
            revocation: .can { backend.emulator.grantsAccess(at: $0.provider, to: $0.userID ?? "") })
    }

    @Test(arguments: AuthRepositoryContract.checks)
    func scripted(keepsThePromise promise: ContractCheck<AuthRepositoryContract>) async throws {
        try await AuthRepositoryContract {
            let script: @Sendable (Credential) throws -> AuthSession = { credential in
                guard credential.idToken != nil else { throw AuthError(.invalidCredential, "The script says so.") }
                return ScriptedRepository.session(of: credential)
            }
            return .init(
                network: .cannot("a script sends nothing"),
                repository: { _ in
                    ScriptedRepository(
                        accepting: [.kakao], establish: script,
                        adopt: { token in
                            guard token == Secret("scripted-refresh-token") else {
                                throw AuthError(.sessionExpired, "The script says so.")
                            }
                            return ScriptedRepository.session(of: Credential(provider: .kakao, userID: "1001"))
                        }, account: .rotating)
                },
                credential: { try await ScriptedProvider(.kakao).authenticate().value },
                badCredential: .can { Credential(provider: .kakao) }, unroutedProvider: .can(.naver),
                console: .init(
                    revoke: .cannot("a script has no console"), disable: .cannot("a script has no console"),
                    delete: .cannot("a script has no console"), takesAccessToken: .cannot("a script has no console"),
                    givesRefreshTokens: .can(()), endsSessionsAtSignOut: .cannot("a script ends nothing"),
                    adopts: .can(())), changes: .none("a script changes nothing"))
        }.verify(promise)
    }
}

/// The repository shows no page.
private struct UnusedAgent: UserAgent {
    func authorize(_ page: AuthorizationPage) async throws(AuthError) -> AuthorizationAnswer { throw .cancelled }
}

extension EmulatedBackend {
    /// A credential of a person, by a browser: of the provider's first user unless said otherwise.
    func credential(
        of provider: @Sendable (EmulatedProviders) -> any AuthProvider, as user: String? = nil,
        hashingNonce hashesNonce: Bool = false
    ) async throws -> Credential {
        try await EmulatedCredentials(at: emulator).get(provider, as: user, hashingNonce: hashesNonce)
    }
}

extension ScriptedAccount {
    /// An account whose refresh token is another each time, and with which nothing else works.
    fileprivate static var rotating: Self {
        let cannot = AuthError(.unsupportedProvider, "The script says so.")
        var account = Self()
        account.refresh = { session in
            var next = session
            next.refreshToken = Secret("\(session.refreshToken?.reveal() ?? "") and its successor")
            return next
        }
        account.signInAnonymously = { throw cannot }
        account.reload = { _ in throw cannot }
        account.updateProfile = { _, _ in throw cannot }
        account.link = { _, _ in throw cannot }
        account.unlink = { _, _ in throw cannot }
        account.reauthenticate = { _, _ in throw cannot }
        account.revokeAccess = { _, _ in throw cannot }
        account.signOutEverywhere = { _ in throw cannot }
        return account
    }
}
