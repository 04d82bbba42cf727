import AuthStreams
import AuthStreamsApple
import AuthStreamsTesting
import AuthenticationServices
import Foundation
import TestSupport
import Testing

/// The states of a credential, and what becomes of the session.
@MainActor
@Suite(.appleDevice) struct AppleRevocationsTests {
    typealias Device = AppleDevice.AppleID

    private let store = MemorySessionStore()
    /// Of this test alone: a service of an earlier one may not have been released yet.
    private let user = UUID().uuidString

    /// A service whose server knows the person's identifier at the provider.
    private func service() -> AuthService {
        let repository = ScriptedRepository(establish: { credential in
            var session = ScriptedRepository.session(of: credential)
            session.user.providers = [.init(id: credential.provider, userID: credential.userID)]
            return session
        })
        return AuthService(
            repository: repository, providers: [AppleProvider(), ScriptedProvider(.kakao)], store: store,
            callbacks: CallbackRouter())
    }

    private func signedIn(with provider: ProviderID = .apple, as other: String? = nil) async throws -> AuthService {
        let auth = service()
        _ = try await auth.signIn(credential: Credential(provider: provider, userID: other ?? user)).value
        return auth
    }

    /// Waits until the app was told about a person as often as said.
    private func told(about other: String? = nil, times: Int) async throws {
        try await wait(for: "the app to be told about \(other ?? user)") {
            Device.credentialStateAnswers.count { $0 == other ?? user } >= times
        }
    }

    private func signedOut(_ auth: AuthService) async -> SignOutReason? {
        for await state in auth.states { if case .signedOut(let reason) = state { return reason } }
        return nil
    }

    @Test func stateIsAskedAtTheLaunch() async throws {
        _ = try await signedIn()
        Device.credentialStates = [user: .revoked]
        #expect(await signedOut(service()) == .revokedAtProvider)
    }

    @Test func notificationWhileTheAppRunsEndsTheSession() async throws {
        Device.credentialStates = [user: .authorized]
        let auth = try await signedIn()
        try await told(times: 1)
        #expect(auth.user != nil)
        Device.revoke(user)
        #expect(await signedOut(auth) == .revokedAtProvider)
    }

    @Test func notificationAboutAnotherPersonChangesNothing() async throws {
        Device.credentialStates = [user: .authorized]
        let auth = try await signedIn()
        try await told(times: 1)
        Device.revoke("000999.def.0001")
        try await told(times: 2)
        #expect(auth.user != nil)
    }

    /// - Parameter state: The state; `nil` for `notFound` with an error.
    @Test(arguments: [ASAuthorizationAppleIDProvider.CredentialState.authorized, .notFound, nil, .transferred])
    func otherStatesSignNobodyOut(state: ASAuthorizationAppleIDProvider.CredentialState?) async throws {
        Device.credentialStates[user] = state
        let reports = try #require(AppleProvider().revocations).about(user)
        try await told(times: 1)
        NotificationCenter.default.post(
            name: ASAuthorizationAppleIDProvider.credentialRevokedNotification, object: nil)
        try await told(times: 2)
        #expect(await count(of: reports) == 0)
    }

    @Test func eachAnswerThatItIsRevokedIsReported() async throws {
        Device.credentialStates = [user: .revoked]
        let reports = try #require(AppleProvider().revocations).about(user)
        try await told(times: 1)
        Device.revoke(user)
        try await told(times: 2)
        #expect(await count(of: reports) == 2)
        // The reader has stopped, so that nothing is asked any more.
        Device.revoke(user)
        #expect(Device.credentialStateRequests.count { $0 == user } == 2)
    }

    /// The number of reports so far: a task that is cancelled still gets those.
    private func count(of reports: AsyncStream<Void>) async -> Int {
        let reader = Task {
            var count = 0
            for await _ in reports { count += 1 }
            return count
        }
        reader.cancel()
        return await reader.value
    }

    @Test func errorIsNoRevocationWhateverStateComesWithIt() async throws {
        Device.credentialStates = [user: .revoked]
        Device.credentialStateError = URLError(.notConnectedToInternet)
        let reports = try #require(AppleProvider().revocations).about(user)
        try await told(times: 1)
        #expect(await count(of: reports) == 0)
        // A later notification asks again.
        let auth = try await signedIn()
        try await told(times: 2)
        Device.credentialStateError = nil
        Device.revoke(user)
        #expect(await signedOut(auth) == .revokedAtProvider)
    }

    @Test func sessionOfAnotherProviderIsNotAskedAbout() async throws {
        Device.credentialStates = [user: .revoked]
        let auth = try await signedIn(with: .kakao)
        Device.revoke(user)
        #expect(auth.user != nil && !Device.credentialStateRequests.contains(user))
    }

    @Test func nextPersonIsAskedAboutAlone() async throws {
        Device.credentialStates = [user: .authorized, "next": .authorized]
        let auth = try await signedIn()
        try await told(times: 1)
        _ = try await auth.signIn(credential: Credential(provider: .apple, userID: "next")).value
        try await told(about: "next", times: 1)
        Device.revoke(user)
        try await told(about: "next", times: 2)
        #expect(auth.user?.id == "apple.com:next")
        #expect(Device.credentialStateRequests.count { $0 == user } == 1)
    }
}
