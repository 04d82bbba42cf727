import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

/// The repository and the emulated server, over HTTP: what each means by the contract is the same.
@Suite struct ServerRepositoryOnEmulatorTests {
    private struct Chain {
        let backend: EmulatedBackend
        let repository: ServerRepository
        let session: AuthSession

        func failure(
            _ attempt: (ServerRepository) async throws(AuthError) -> Void
        ) async -> AuthError? {
            do throws(AuthError) { try await attempt(repository) } catch { return error }
            return nil
        }

        func failureToRefresh(_ session: AuthSession) async -> AuthError? {
            await failure { (repository) throws(AuthError) in _ = try await repository.refresh(session) }
        }
    }

    /// A person who is signed in with Google, at a time that the test moves.
    private func signedIn(
        _ change: (inout EmulatorConfiguration) -> Void = { _ in }, _ body: (Chain) async throws -> Void
    ) async throws {
        try await EmulatedBackend.run(change) { backend in
            let repository = ServerRepository.emulated(
                at: backend.emulator.baseURL, clock: backend.emulator.configuration.clock)
            let session = try await repository.signIn(
                with: Credential(provider: .google, idToken: Secret(backend.googleToken())))
            try await body(Chain(backend: backend, repository: repository, session: session))
        }
    }

    @Test func aSessionIsWhatTheServerSays() async throws {
        try await signedIn { chain in
            let session = chain.session
            #expect(session.isNewUser)
            #expect(session.provider == .google)
            #expect(session.expiresAt == chain.backend.emulator.configuration.clock.date.addingTimeInterval(900))
            #expect(session.user.providers == [.init(id: .google, userID: "1001", email: "minji@example.com")])
            #expect(session.user.isEmailVerified)
        }
    }

    @Test(arguments: [false, true]) func aSignOutEndsTheSessionThoughTheAccessTokenIsOver(isChecked: Bool) async throws
    {
        let checked: (inout EmulatorConfiguration) -> Void = { $0.server.checksAccessTokenAtSignOut = isChecked }
        try await signedIn(checked) { chain in
            chain.backend.clock.advance(by: .seconds(900))
            try await chain.repository.signOut(chain.session)
            #expect(chain.backend.emulator.server.sessionCount(of: chain.session.user.id) == 0)
        }
    }

    @Test func aRefreshBringsTheNextTokensAndTheNewClaims() async throws {
        try await signedIn { chain in
            chain.backend.emulator.server.setClaims(["role": "admin"], of: chain.session.user.id)
            chain.backend.clock.advance(by: .seconds(900))
            let next = try await chain.repository.refresh(chain.session)
            #expect(next.accessToken != chain.session.accessToken)
            #expect(next.refreshToken != chain.session.refreshToken)
            #expect(next.user.claims == ["role": "admin"])
            #expect(next.provider == .google)
            #expect(!next.isNewUser)
            #expect(try await chain.repository.refresh(next).user == next.user)
        }
    }

    @Test func anOldRefreshTokenEndsTheSessionAndTheNewOneToo() async throws {
        try await signedIn { chain in
            let next = try await chain.repository.refresh(chain.session)
            let reused = await chain.failureToRefresh(chain.session)
            #expect(reused?.code == .sessionExpired)
            #expect(reused?.serverCode == "refresh-token-reused")
            #expect(await chain.failureToRefresh(next)?.code == .sessionExpired)
        }
    }

    /// Why a lost answer is no reason to just ask again: the server has used the token up.
    @Test func anAnswerThatWasLostUsedTheTokenUpAllTheSame() async throws {
        try await signedIn { chain in
            chain.backend.emulator.inject(.dropConnection, at: .serverRefresh)
            #expect(await chain.failureToRefresh(chain.session)?.code == .network)
            #expect(await chain.failureToRefresh(chain.session)?.serverCode == "refresh-token-reused")
        }
    }

    @Test func theServersDefiniteNoIsTold() async throws {
        try await signedIn { chain in
            let (server, id) = (chain.backend.emulator.server, chain.session.user.id)
            server.disable(id)
            #expect(await chain.failureToRefresh(chain.session)?.code == .userDisabled)
            server.enable(id)
            server.delete(id)
            #expect(await chain.failureToRefresh(chain.session)?.code == .userNotFound)
            server.revokeSessions(of: id)
            #expect(await chain.failureToRefresh(chain.session)?.code == .sessionExpired)
        }
    }

    @Test(arguments: [EmulatorFault.html, .status(401), .status(403), .status(410), .empty, .status(500)])
    func nothingElseEndsASession(fault: EmulatorFault) async throws {
        try await signedIn { chain in
            chain.backend.emulator.inject(fault, at: .serverRefresh)
            let error = try #require(await chain.failureToRefresh(chain.session))
            #expect([.invalidResponse, .server].contains(error.code))
        }
    }

    @Test func withoutRefreshTokenTheSessionEndsWithItsAccessToken() async throws {
        let withoutRefresh: (inout EmulatorConfiguration) -> Void = { $0.server.givesRefreshTokens = false }
        try await signedIn(withoutRefresh) { chain in
            #expect(chain.session.refreshToken == nil)
            #expect(chain.session.expiresAt != nil)
            #expect(await chain.failureToRefresh(chain.session)?.code == .sessionExpired)
        }
    }

    @Test func anotherSDKsSessionIsAdopted() async throws {
        try await signedIn { chain in
            let left = try #require(chain.session.refreshToken)
            let adopted = try await chain.repository.adopt(refreshToken: left)
            #expect(adopted.user == chain.session.user)
            #expect(adopted.provider == .google)
            #expect(adopted.refreshToken != left)
            let foreign = await chain.failure { (repository) throws(AuthError) in
                _ = try await repository.adopt(refreshToken: Secret("somebody-elses"))
            }
            #expect(foreign?.code == .sessionExpired)
        }
    }

    @Test func signingOutTwiceIsNoFailure() async throws {
        try await signedIn { chain in
            try await chain.repository.signOut(chain.session)
            #expect(await chain.failureToRefresh(chain.session)?.code == .sessionExpired)
            try await chain.repository.signOut(chain.session)
            var unknown = chain.session
            unknown.refreshToken = Secret("never issued")
            try await chain.repository.signOut(unknown)
        }
    }

    @Test func deletingNeedsARecentSignInAndAGoodAccessToken() async throws {
        try await signedIn { chain in
            chain.backend.clock.advance(by: .seconds(301))
            let delete = { (repository: ServerRepository) async throws(AuthError) in
                try await repository.deleteAccount(chain.session)
            }
            #expect(await chain.failure(delete)?.code == .requiresRecentSignIn)
            chain.backend.clock.advance(by: .seconds(900))
            let expired = await chain.failure(delete)
            #expect(expired?.code == .invalidCredential)
            #expect(expired?.serverCode == "invalid-access-token")
            let fresh = try await chain.repository.signIn(
                with: Credential(provider: .google, idToken: Secret(chain.backend.googleToken())))
            try await chain.repository.deleteAccount(fresh)
            #expect(chain.backend.emulator.server.users.isEmpty)
        }
    }

    @Test func aPageInTheServersPlaceDeletesNothing() async throws {
        try await signedIn { chain in
            chain.backend.emulator.inject(.html, at: .serverAccount)
            let error = await chain.failure { (repository) throws(AuthError) in
                try await repository.deleteAccount(chain.session)
            }
            #expect(error?.code == .invalidResponse)
            #expect(chain.backend.emulator.server.users.count == 1)
        }
    }
}
