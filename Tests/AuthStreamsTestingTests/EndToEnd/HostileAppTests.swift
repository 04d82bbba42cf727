import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// An app on the person's device that answers in the place of a provider's app, with a code of the attacker's own.
@MainActor
@Suite(.limitedParallelization) struct HostileAppTests {
    nonisolated static let backends = EmulatedDevice.Backend.allCases

    @Test(arguments: backends) func cannotLinkItsOwnNaverAccount(backend: EmulatedDevice.Backend) async throws {
        try await withEmulator { emulator in
            let victim = EmulatedDevice(at: emulator.baseURL, backend: backend)
            _ = try await victim.auth.signIn(with: .google).value
            let scheme = EmulatorConfiguration().naver.urlScheme
            let answer = try #require(URL(string: "\(scheme)://thirdPartyLoginResult?version=2&code=0&authCode=theirs"))
            victim.apps.naver = .stay
            let user = try await victim.auth.link(with: .naver).value
            #expect(victim.apps.visits[.naver] == nil, "The page is asked, whose answer is bound.")
            #expect(!victim.auth.handle(answer))
            #expect(user.providers.map(\.id).contains(.naver))
        }
    }

    /// The credential of a sign-in by the Naver app, which a conflict or the app's own chain kept.
    @Test(arguments: backends) func cannotHaveItsAnswerLinkedLater(backend: EmulatedDevice.Backend) async throws {
        try await withEmulator { emulator in
            let victim = EmulatedDevice(at: emulator.baseURL, backend: backend)
            let user = try await victim.auth.signIn(with: .google).value
            let credential = Credential(
                provider: .naver, authorizationCode: .init(code: Secret("theirs")), isBound: false)
            let requests = emulator.journal.entries.count
            let error = await victim.auth.link(with: credential).result.failure
            #expect(error?.code == .misconfigured && error?.explanation.contains("page") == true)
            #expect(emulator.journal.entries.count == requests, "Nothing is sent.")
            #expect(victim.auth.user?.id == user.id)
        }
    }
}
