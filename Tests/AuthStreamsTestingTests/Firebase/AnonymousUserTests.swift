import AuthStreams
import AuthStreamsFirebase
import AuthStreamsTesting
import Foundation
import Testing

/// People who are let in without an identity, and keep their uid when they get one.
@Suite struct AnonymousUserTests {
    @Test func anAnonymousUserHasASessionLikeAnyOther() async throws {
        try await EmulatedBackend.run { backend in
            let session = try await backend.repository.signInAnonymously()
            #expect(session.user.isAnonymous)
            #expect(session.user.providers.isEmpty)
            #expect(backend.emulator.firebase[session.user.id]?.isAnonymous == true)
            backend.clock.advance(by: .seconds(3000))
            let refreshed = try await backend.repository.refresh(session)
            #expect(refreshed.user.isAnonymous)
            #expect(refreshed.provider == .anonymous)
            #expect(refreshed.issuedAt == Date(timeIntervalSince1970: TimeInterval(backend.now)))
            // Each of them is another user.
            #expect(try await backend.repository.signInAnonymously().user.id != session.user.id)
        }
    }

    @Test(arguments: [ProviderID.google, .apple, .kakao, .naver])
    func theUpgradeKeepsTheUID(provider: ProviderID) async throws {
        try await EmulatedBackend.run { backend in
            let repository = backend.repository
            let anonymous = try await repository.signInAnonymously()
            func credential() async throws -> Credential {
                switch provider {
                case .google: backend.google()
                case .apple: backend.apple()
                case .kakao: backend.kakao()
                default: try await backend.naver()
                }
            }
            let upgraded = try await repository.link(try await credential(), to: anonymous)
            #expect(upgraded.user.id == anonymous.user.id)
            #expect(!upgraded.user.isAnonymous)
            #expect(upgraded.user.providers.map(\.id) == [provider])
            #expect(upgraded.provider == provider)
            #expect(try await !repository.refresh(upgraded).user.isAnonymous)
            // And it is the way back in.
            let back = try await repository.signIn(with: try await credential())
            #expect(back.user.id == anonymous.user.id)
            #expect(back.user.providers == upgraded.user.providers)
            #expect(!back.isNewUser)
            #expect(backend.emulator.firebase.users.count == 1)
        }
    }

    @Test func aProjectMayLetNobodyInWithoutAnIdentity() async throws {
        let nobody = { (configuration: inout EmulatorConfiguration) in
            configuration.firebase.allowsAnonymousUsers = false
        }
        try await EmulatedBackend.run(nobody) { backend in
            let answer = try await backend.toolkit("signUp", ["returnSecureToken": true])
            #expect(answer.code == "ADMIN_ONLY_OPERATION")
            let error = await error { () throws(AuthError) in try await backend.repository.signInAnonymously() }
            #expect(error?.code == .misconfigured)
        }
    }

    @Test func theIDTokenSaysThatNobodyKnowsThem() async throws {
        try await EmulatedBackend.run { backend in
            let answer = try await backend.toolkit("signUp", ["returnSecureToken": true])
            let claims = try #require(JSONWebToken(Secret(answer["idToken"]?.string ?? ""))).claims
            #expect(claims["provider_id"] == "anonymous")
            #expect(claims["firebase"] == ["identities": [:], "sign_in_provider": "anonymous"])
            #expect(answer["expiresIn"] == "3600")
            try await #expect(backend.toolkit("signUp", [:])["idToken"] == nil)
        }
    }
}
