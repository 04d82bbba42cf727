import AuthStreams
import AuthStreamsFirebase
import AuthStreamsTesting
import Foundation
import Testing

/// Signing in once more, so that what needs a recent sign-in can be done.
@Suite struct ReauthenticationTests {
    @Test(arguments: [ProviderID.google, .kakao])
    func anOldSessionDeletesItsAccountAfterASignIn(provider: ProviderID) async throws {
        try await EmulatedBackend.run { backend in
            let repository = backend.repository
            let credential = { provider == .google ? backend.google() : backend.kakao() }
            var session = try await repository.signIn(with: credential())
            backend.clock.advance(by: .seconds(301))
            session = try await repository.refresh(session)
            let old = session
            let error = await error { () throws(AuthError) in try await repository.deleteAccount(old) }
            #expect(error?.code == .requiresRecentSignIn)
            let fresh = try await repository.reauthenticate(session, with: credential())
            #expect(fresh.user.id == session.user.id)
            #expect(fresh.user.providers == session.user.providers)
            try await repository.deleteAccount(fresh)
            #expect(backend.emulator.firebase.users.isEmpty)
        }
    }

    @Test func anotherPersonsCredentialIsInUse() async throws {
        try await EmulatedBackend.run { backend in
            let repository = backend.repository
            let session = try await repository.signIn(with: backend.google())
            _ = try await repository.signIn(with: backend.google("1002", email: "other@example.com"))
            _ = try await repository.signIn(with: backend.kakao())
            // Firebase takes an ID token with a nonce once; a function as often as it comes.
            for (credential, isUsable) in [
                (backend.google("1002", email: "other@example.com"), false), (backend.kakao(), true),
            ] {
                let error = await error { () throws(AuthError) in
                    try await repository.reauthenticate(session, with: credential)
                }
                #expect(error?.code == .credentialInUse)
                #expect((error?.conflict?.credential != nil) == isUsable)
            }
            #expect(try await repository.refresh(session).user.id == session.user.id)
        }
    }

    @Test func aCredentialOfNobodyMakesNoUser() async throws {
        try await EmulatedBackend.run { backend in
            let repository = backend.repository
            let session = try await repository.signIn(with: backend.google())
            // Of a new person, and of a person with the same address.
            for credential in [
                backend.google("1002", email: "other@example.com"), backend.apple(email: "minji@example.com"),
            ] {
                let error = await error { () throws(AuthError) in
                    try await repository.reauthenticate(session, with: credential)
                }
                #expect(error?.code == .invalidCredential)
                #expect(error?.serverCode == "USER_NOT_FOUND")
            }
            let kakao = await error { () throws(AuthError) in
                try await repository.reauthenticate(session, with: backend.kakao("1002"))
            }
            #expect(kakao?.code == .credentialInUse)
            #expect(backend.emulator.firebase.users.map(\.id) == [session.user.id])
            #expect(backend.emulator.firebase[session.user.id]?.identities.count == 1)
        }
    }

    @Test func thatAnotherUserIsDisabledEndsNoSession() async throws {
        try await EmulatedBackend.run { backend in
            let repository = backend.repository
            let session = try await repository.signIn(with: backend.google())
            let other = try await repository.signIn(with: backend.google("1002", email: "other@example.com"))
            let kakao = try await repository.signIn(with: backend.kakao())
            backend.emulator.firebase.disable(other.user.id)
            backend.emulator.firebase.disable(kakao.user.id)
            for credential in [backend.google("1002", email: "other@example.com"), backend.kakao()] {
                let error = await error { () throws(AuthError) in
                    try await repository.reauthenticate(session, with: credential)
                }
                #expect(error?.code == .invalidCredential)
            }
        }
    }
}
