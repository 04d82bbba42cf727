import AuthStreams
import AuthStreamsFirebase
import AuthStreamsTesting
import Foundation
import Testing

/// Every repository of ours keeps what a repository promises.
@Suite(.timeLimit(.minutes(5))) struct RepositoriesKeepTheirPromisesTests {
    @Test(arguments: AuthRepositoryContract.checks)
    func firebase(keepsThePromise promise: ContractCheck<AuthRepositoryContract>) async throws {
        let report = try await withEmulator { emulator in
            let (transport, base) = (URLSessionTransport(), emulator.baseURL)
            let takes: @Sendable (Secret) async throws -> Bool = { token in
                let lookup = emulator.url(for: "https://identitytoolkit.googleapis.com/v1/accounts:lookup")
                    .appending(queryItems: [.init(name: "key", value: emulator.configuration.firebase.apiKey)])
                let body = try JSONEncoder().encode(["idToken": token.reveal()])
                let request = HTTPRequest(.post, lookup, headers: [.contentType: "application/json"], body: body)
                return try await transport.send(request).isSuccess
            }
            return try await AuthRepositoryContract {
                .init(
                    network: .can(transport), repository: { FirebaseRepository.emulated(at: base, transport: $0) },
                    credential: { try await googleCredential(at: base) },
                    badCredential: .can {
                        Credential(provider: .google, idToken: Secret("no.id.token"), rawNonce: Secret("nonce"))
                    },
                    unroutedProvider: .can("example.com"),
                    console: .init(
                        revoke: .can { emulator.firebase.revokeRefreshTokens(of: $0.id) },
                        disable: .can { emulator.firebase.disable($0.id) },
                        delete: .can { emulator.firebase.delete($0.id) }, takesAccessToken: .can(takes),
                        givesRefreshTokens: .can(()), endsSessionsAtSignOut: .cannot("Firebase hears of no sign-out"),
                        adopts: .can(())))
            }.verify(promise)
        }
        #expect(report.leftOut.allSatisfy { $0.reason == "Firebase hears of no sign-out" })
    }

    @Test(arguments: AuthRepositoryContract.checks)
    func server(keepsThePromise promise: ContractCheck<AuthRepositoryContract>) async throws {
        let report = try await withEmulator {
            try await contract(at: $0, givesRefreshTokens: .can(())).verify(promise)
        }
        #expect(report.leftOut.count <= 1)
    }

    /// Its sessions last as long as their access tokens, which breaks no promise.
    @Test func serverWithoutRefreshTokens() async throws {
        var configuration = EmulatorConfiguration()
        configuration.server.givesRefreshTokens = false
        let reason = "this server gives none"
        let report = try await withEmulator(configuration) {
            try await contract(at: $0, givesRefreshTokens: .cannot(reason)).verify()
        }
        #expect(report.leftOut.count { $0.reason == reason } == 10)
        #expect(report.kept.contains("every sign-in and every refresh asks the server"))
    }

    private func contract(
        at emulator: Emulator, givesRefreshTokens: ContractAbility<Void>
    ) -> AuthRepositoryContract {
        let (base, api) = (emulator.baseURL, emulator.url(for: "https://api.pulseboard.example"))
        return AuthRepositoryContract {
            .init(
                network: .can(URLSessionTransport()),
                repository: { ServerRepository(at: api, accepting: [.google], transport: $0) },
                credential: { try await googleCredential(at: base) },
                badCredential: .can {
                    Credential(provider: .google, idToken: Secret("no.id.token"), rawNonce: Secret("nonce"))
                },
                unroutedProvider: .can("example.com"),
                console: .init(
                    revoke: .can { emulator.server.revokeSessions(of: $0.id) },
                    disable: .can { emulator.server.disable($0.id) },
                    delete: .can { emulator.server.delete($0.id) },
                    takesAccessToken: .cannot("the contract has nothing to ask with one but the deletion"),
                    givesRefreshTokens: givesRefreshTokens, endsSessionsAtSignOut: .can(()), adopts: .can(())))
        }
    }

    @Test(arguments: AuthRepositoryContract.checks)
    func scripted(keepsThePromise promise: ContractCheck<AuthRepositoryContract>) async throws {
        try await AuthRepositoryContract {
            let script: @Sendable (Credential) throws -> Session = { credential in
                guard credential.idToken != nil else { throw AuthError(.invalidCredential, "The script says so.") }
                return ScriptedRepository.session(of: credential)
            }
            return .init(
                network: .cannot("a script sends nothing"),
                repository: { _ in
                    ScriptedRepository(accepting: [.kakao], establish: script) { token in
                        guard token == Secret("scripted refresh token") else {
                            throw AuthError(.sessionExpired, "The script says so.")
                        }
                        return ScriptedRepository.session(of: Credential(provider: .kakao, userID: "1001"))
                    }
                },
                credential: { try await ScriptedProvider(.kakao).authenticate().value },
                badCredential: .can { Credential(provider: .kakao) }, unroutedProvider: .can(.naver),
                console: .init(
                    revoke: .cannot("a script has no console"), disable: .cannot("a script has no console"),
                    delete: .cannot("a script has no console"), takesAccessToken: .cannot("a script has no console"),
                    givesRefreshTokens: .can(()), endsSessionsAtSignOut: .cannot("a script ends nothing"),
                    adopts: .can(())))
        }.verify(promise)
    }
}

/// A credential of the emulator's first user, by Google.
@MainActor
func googleCredential(at base: URL) async throws -> Credential {
    let (network, callbacks) = (URLSessionTransport(), CallbackRouter())
    let browser = ScriptedBrowser(transport: network) { callbacks.handle($0) }
    return try await EmulatedProviders(at: base, opener: browser, callbacks: callbacks, transport: network).google
        .authenticate().value
}
