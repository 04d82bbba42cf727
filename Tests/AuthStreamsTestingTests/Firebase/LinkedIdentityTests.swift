import AuthStreams
import AuthStreamsFirebase
import AuthStreamsTesting
import Foundation
import Testing

/// Linking and unlinking, with the conflicts that come of it.
@Suite struct LinkedIdentityTests {
    @Test func everyLinkedIdentitySignsInToTheSameUser() async throws {
        try await EmulatedBackend.run { backend in
            let repository = backend.repository
            var session = try await repository.signIn(with: backend.kakao())
            for credential in [backend.google(), backend.apple(), try await backend.naver()] {
                session = try await repository.link(credential, to: session)
                #expect(session.user.id == "kakao:1001")
                #expect(session.provider == .kakao)
            }
            #expect(Set(session.user.providers.map(\.id)) == [.kakao, .google, .apple, .naver])
            for credential in [backend.google(), backend.apple(), try await backend.naver(), backend.kakao()] {
                let user = try await repository.signIn(with: credential).user
                #expect(user.id == "kakao:1001")
                #expect(Set(user.providers.map(\.id)) == [.kakao, .google, .apple, .naver])
            }
        }
    }

    @Test func linkingTwiceChangesNothing() async throws {
        try await EmulatedBackend.run { backend in
            let repository = backend.repository
            let session = try await repository.signIn(with: backend.google())
            let once = try await repository.link(backend.kakao(), to: session)
            let twice = try await repository.link(backend.kakao(), to: once)
            #expect(twice.user.providers == once.user.providers)
            #expect(backend.emulator.firebase[session.user.id]?.functionIdentities == ["kakao": "1001"])
        }
    }

    // MARK: Conflicts

    @Test func anIdentityInUseSignsInAsItsUserByWhatTheConflictHas() async throws {
        try await EmulatedBackend.run { backend in
            let repository = backend.repository
            let owner = try await repository.signIn(with: backend.apple())
            let session = try await repository.signInAnonymously()
            let credential = backend.apple()
            let error = await error { () throws(AuthError) in try await repository.link(credential, to: session) }
            #expect(error?.code == .credentialInUse)
            #expect(error?.conflict?.email == "relay@example.com")
            // The token itself was used up by the attempt.
            let again = await AuthStreamsTestingTests.error { () throws(AuthError) in
                try await repository.signIn(with: credential)
            }
            #expect(again?.code == .nonceMismatch)
            let usable = try #require(error?.conflict?.credential)
            #expect(try await repository.signIn(with: usable).user.id == owner.user.id)
            let used = await AuthStreamsTestingTests.error { () throws(AuthError) in
                try await repository.signIn(with: usable)
            }
            #expect(used?.code == .invalidCredential)
            #expect(used?.serverCode == "INVALID_PENDING_TOKEN")
        }
    }

    @Test func aKakaoIdentityInUseSignsInAsItsUser() async throws {
        try await EmulatedBackend.run { backend in
            let repository = backend.repository
            let owner = try await repository.signIn(with: backend.kakao())
            let session = try await repository.signIn(with: backend.google())
            let error = await error { () throws(AuthError) in
                try await repository.link(backend.kakao(), to: session)
            }
            #expect(error?.code == .credentialInUse)
            #expect(error?.provider == .kakao)
            let usable = try #require(error?.conflict?.credential)
            #expect(try await repository.signIn(with: usable).user.id == owner.user.id)
            #expect(backend.emulator.firebase[session.user.id]?.functionIdentities.isEmpty == true)
        }
    }

    /// Naver's code was redeemed to find out whose it is.
    @Test func aNaverIdentityInUseLeavesNothingToGoOnWith() async throws {
        try await EmulatedBackend.run { backend in
            let repository = backend.repository
            _ = try await repository.link(try await backend.naver(), to: try await repository.signInAnonymously())
            let session = try await repository.signIn(with: backend.google())
            let credential = try await backend.naver()
            let error = await error { () throws(AuthError) in try await repository.link(credential, to: session) }
            #expect(error?.code == .credentialInUse)
            #expect(error?.conflict?.credential == nil)
        }
    }

    @Test func anAddressThatNobodyVouchesForIsLinkedAfterASignInAsItsUser() async throws {
        try await EmulatedBackend.run { backend in
            let repository = backend.repository
            let owner = try await repository.signIn(with: backend.google())
            let unproven = backend.apple(email: "minji@example.com", isVerified: false)
            let error = await error { () throws(AuthError) in try await repository.signIn(with: unproven) }
            #expect(error?.code == .accountExists)
            #expect(error?.conflict?.email == "minji@example.com")
            #expect(error?.conflict?.providers == [.google])
            let usable = try #require(error?.conflict?.credential)
            let session = try await repository.link(usable, to: try await repository.signIn(with: backend.google()))
            #expect(session.user.id == owner.user.id)
            #expect(session.user.providers.map(\.id) == [.google, .apple])
        }
    }

    @Test func anAddressOfAnotherUserIsNotLinked() async throws {
        try await EmulatedBackend.run { backend in
            let repository = backend.repository
            _ = try await repository.signIn(with: backend.google())
            let session = try await repository.signInAnonymously()
            let error = await error { () throws(AuthError) in
                try await repository.link(backend.apple(email: "minji@example.com"), to: session)
            }
            #expect(error?.code == .accountExists)
            #expect(error?.conflict?.credential != nil)
            #expect(backend.emulator.firebase[session.user.id]?.isAnonymous == true)
        }
    }

    @Test func aPendingTokenIsGoodForTenMinutes() async throws {
        try await EmulatedBackend.run { backend in
            let repository = backend.repository
            _ = try await repository.signIn(with: backend.apple())
            let session = try await repository.signInAnonymously()
            let error = await error { () throws(AuthError) in
                try await repository.link(backend.apple(), to: session)
            }
            let usable = try #require(error?.conflict?.credential)
            backend.clock.advance(by: .seconds(600))
            let late = await AuthStreamsTestingTests.error { () throws(AuthError) in
                try await repository.signIn(with: usable)
            }
            #expect(late?.serverCode == "INVALID_PENDING_TOKEN")
        }
    }

    // MARK: Unlinking

    @Test func anUnlinkedIdentityIsANewUserAtItsNextSignIn() async throws {
        try await EmulatedBackend.run { backend in
            let repository = backend.repository
            var session = try await repository.signIn(with: backend.google())
            session = try await repository.link(backend.apple(), to: session)
            session = try await repository.link(backend.kakao(), to: session)
            session = try await repository.unlink(.apple, from: session)
            session = try await repository.unlink(.kakao, from: session)
            #expect(session.user.providers.map(\.id) == [.google])
            // The tokens stay valid.
            session = try await repository.refresh(session)
            #expect(session.user.providers.map(\.id) == [.google])
            #expect(session.user.claims["identities"] == [:])
            #expect(try await repository.signIn(with: backend.google()).user.providers.map(\.id) == [.google])
            for credential in [backend.apple(), backend.kakao()] {
                let other = try await repository.signIn(with: credential)
                #expect(other.isNewUser)
                #expect(other.user.id != session.user.id)
            }
        }
    }

    @Test func whatAnotherDeviceTookIsNoWayInAnyMore() async throws {
        try await EmulatedBackend.run { backend in
            let repository = backend.repository
            var session = try await repository.signIn(with: backend.google())
            session = try await repository.link(backend.kakao(), to: session)
            let other = try await repository.signIn(with: backend.google())
            _ = try await repository.unlink(.kakao, from: other)
            let stale = session
            #expect(Set(stale.user.providers.map(\.id)) == [.google, .kakao])
            let error = await error { () throws(AuthError) in try await repository.unlink(.google, from: stale) }
            #expect(error?.code == .lastProvider)
            #expect(backend.emulator.firebase[session.user.id]?.identities.count == 1)
            #expect(try await repository.refresh(stale).user.providers.map(\.id) == [.google])
        }
    }

    @Test func anOldSignInUnlinksUnlessTheProjectWantsARecentOne() async throws {
        try await EmulatedBackend.run { backend in
            let repository = backend.repository
            let session = try await repository.signIn(with: backend.google())
            let linked = try await repository.link(backend.apple(), to: session)
            backend.clock.advance(by: .seconds(301))
            let next = try await repository.refresh(linked)
            #expect(try await repository.unlink(.apple, from: next).user.providers.map(\.id) == [.google])
        }
    }

    @Test func anOldSignInCannotUnlinkUntilItIsRepeated() async throws {
        let strict: (inout EmulatorConfiguration) -> Void = { $0.firebase.recentSignInToUnlink = .seconds(300) }
        try await EmulatedBackend.run(strict) { backend in
            let repository = backend.repository
            var session = try await repository.signIn(with: backend.google())
            session = try await repository.link(backend.apple(), to: session)
            backend.clock.advance(by: .seconds(301))
            session = try await repository.refresh(session)
            let old = session
            let error = await error { () throws(AuthError) in try await repository.unlink(.apple, from: old) }
            #expect(error?.code == .requiresRecentSignIn)
            #expect(backend.emulator.firebase[session.user.id]?.identities.count == 2)
            session = try await repository.reauthenticate(session, with: backend.google())
            #expect(try await repository.unlink(.apple, from: session).user.providers.map(\.id) == [.google])
        }
    }

    @Test func whatTheUserIsCalledByStays() async throws {
        try await EmulatedBackend.run { backend in
            let session = try await backend.repository.signIn(with: backend.kakao())
            let data: AuthJSON = ["data": ["provider": "kakao", "action": "unlink"]]
            let answer = try await backend.post(
                EmulatedBackend.function, try JSONEncoder().encode(data),
                headers: [.authorization: "Bearer \(session.accessToken.reveal())"])
            #expect(answer.json["error"]?["status"] == "FAILED_PRECONDITION")
        }
    }

    // MARK: Who may

    @Test func withoutACallerNothingIsLinked() async throws {
        try await EmulatedBackend.run { backend in
            let kakao: AuthJSON = [
                "provider": "kakao", "idToken": .string(backend.kakaoToken(["nonce": "n"])), "nonce": "n",
            ]
            for action in ["link", "unlink"] {
                let data = (kakao.object ?? [:]).merging(["action": .string(action)]) { $1 }
                try await #expect(backend.socialLogin(.object(data)).status == 401)
            }
            let unheardOf = (kakao.object ?? [:]).merging(["action": "merge"]) { $1 }
            try await #expect(backend.socialLogin(.object(unheardOf)).status == 400)
        }
    }

    @Test func aDisabledOrDeletedUserLinksNothing() async throws {
        try await EmulatedBackend.run { backend in
            let repository = backend.repository
            let session = try await repository.signIn(with: backend.google())
            backend.emulator.firebase.disable(session.user.id)
            for credential in [backend.apple(), backend.kakao()] {
                let error = await error { () throws(AuthError) in try await repository.link(credential, to: session) }
                #expect(error?.code == .userDisabled)
            }
            backend.emulator.firebase.delete(session.user.id)
            let gone = await error { () throws(AuthError) in
                try await repository.link(backend.apple(), to: session)
            }
            #expect(gone?.code == .userNotFound)
        }
    }
}
