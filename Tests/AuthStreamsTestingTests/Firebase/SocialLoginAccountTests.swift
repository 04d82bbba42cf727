import AuthStreams
import AuthStreamsFirebase
import AuthStreamsTesting
import Foundation
import Testing

/// What the function does with the user's record: it fills it in, and looks at the second factor.
@Suite struct SocialLoginAccountTests {
    // MARK: Names

    @Test func aFirstSignInByKakaoHasNamePictureAndAddress() async throws {
        try await EmulatedBackend.run { backend in
            let session = try await backend.repository.signIn(with: backend.kakao())
            #expect(session.isNewUser)
            #expect(session.user.displayName == "김민지")
            #expect(session.user.photoURL?.absoluteString == "https://k.example/minji.jpg")
            #expect(session.user.email == "minji@kakao.example")
            #expect(session.user.isEmailVerified)
            #expect(session.user.claims["isNewUser"] == nil)
            #expect(try await backend.repository.signIn(with: backend.kakao()).isNewUser == false)
        }
    }

    @Test func aFirstSignInByNaverHasNameAndPictureAndNoAddress() async throws {
        try await EmulatedBackend.run { backend in
            let user = try await backend.repository.signIn(with: try await backend.naver()).user
            let person = backend.emulator.configuration.naver.users[0]
            #expect(user.displayName == person.name)
            #expect(user.photoURL?.absoluteString == person.pictureURL)
            #expect(user.email == nil)
        }
    }

    @Test func anAddressThatKakaoHasNotVerifiedIsNotWrittenDown() async throws {
        let change: (inout EmulatorConfiguration) -> Void = { $0.kakao.users[0].isEmailVerified = false }
        try await EmulatedBackend.run(change) { backend in
            let user = try await backend.repository.signIn(with: backend.kakao()).user
            #expect(user.displayName == "김민지")
            #expect(user.email == nil)
        }
    }

    @Test func anAddressOfAnotherUserStaysTheirs() async throws {
        let change: (inout EmulatorConfiguration) -> Void = { $0.kakao.users[0].email = "minji@example.com" }
        try await EmulatedBackend.run(change) { backend in
            _ = try await backend.repository.signIn(with: backend.google())
            let user = try await backend.repository.signIn(with: backend.kakao()).user
            #expect(user.id == "kakao:1001")
            #expect(user.email == nil)
        }
    }

    @Test func aNameThatTheUserHasStays() async throws {
        try await EmulatedBackend.run { backend in
            let nonce = UUID().uuidString
            let google = Credential(
                provider: .google, idToken: Secret(backend.googleToken(["name": "Minji", "nonce": .string(nonce)])),
                rawNonce: Secret(nonce))
            let session = try await backend.repository.signIn(with: google)
            let linked = try await backend.repository.link(backend.kakao(), to: session)
            #expect(linked.user.displayName == "Minji")
            // What was not known is filled in.
            #expect(linked.user.photoURL?.absoluteString == "https://k.example/minji.jpg")
            #expect(linked.user.email == "minji@example.com")
        }
    }

    // MARK: Second factors

    @Test func aUserWithASecondFactorDoesNotComeInWithoutIt() async throws {
        try await EmulatedBackend.run { backend in
            let (repository, firebase) = (backend.repository, backend.emulator.firebase)
            let session = try await repository.signIn(with: backend.google())
            _ = try await repository.link(backend.kakao(), to: session)
            #expect(firebase.enrollSecondFactor(for: session.user.id))
            for credential in [backend.kakao(), backend.google()] {
                let error = await error { () throws(AuthError) in try await repository.signIn(with: credential) }
                #expect(error?.code == .secondFactorRequired)
            }
            let again = await error { () throws(AuthError) in
                try await repository.reauthenticate(session, with: backend.kakao())
            }
            #expect(again?.code == .secondFactorRequired)
            #expect(firebase.withdrawSecondFactor(of: session.user.id))
            #expect(try await repository.signIn(with: backend.kakao()).user.id == session.user.id)
        }
    }

    /// A link's answer is a custom token, too.
    @Test func aUserWithASecondFactorLinksNothing() async throws {
        try await EmulatedBackend.run { backend in
            let session = try await backend.repository.signIn(with: backend.google())
            backend.emulator.firebase.enrollSecondFactor(for: session.user.id)
            let error = await error { () throws(AuthError) in
                try await backend.repository.link(backend.kakao(), to: session)
            }
            #expect(error?.code == .secondFactorRequired)
            #expect(error?.serverCode == "SECOND_FACTOR_REQUIRED")
            #expect(backend.emulator.firebase[session.user.id]?.functionIdentities.isEmpty == true)
        }
    }
}
