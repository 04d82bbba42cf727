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
            #expect(!victim.callbacks.handle(answer))
            #expect(user.providers.map(\.id).contains(.naver))
        }
    }

    /// The credential of a sign-in by the Naver app, which a conflict or the app's own chain kept.
    @Test(arguments: backends) func cannotHaveItsAnswerLinkedLater(backend: EmulatedDevice.Backend) async throws {
        try await withEmulator { emulator in
            let victim = EmulatedDevice(at: emulator.baseURL, backend: backend)
            let user = try await victim.auth.signIn(with: .google).value.user
            let credential = Credential(
                provider: .naver, authorizationCode: .init(code: Secret("theirs")), isBound: false)
            let requests = emulator.journal.entries.count
            let error = await victim.auth.link(credential: credential).result.failure
            #expect(error?.code == .misconfigured && error?.explanation.contains("page") == true)
            #expect(emulator.journal.entries.count == requests, "Nothing is sent.")
            #expect(victim.auth.user?.id == user.id)
        }
    }

    /// Another user of the machine read the page's address, answered first and is taken for the person.
    @Test(arguments: [ProviderID.apple, .kakao, .naver])
    func cannotLinkByAPageWhoseAddressTheyCouldRead(provider: ProviderID) async throws {
        try await withEmulator { emulator in
            let victim = EmulatedDevice(at: emulator.baseURL, backend: .server)
            let user = try await victim.auth.signIn(with: .google).value.user
            victim.browser.hidesURLs = false
            let error = await victim.auth.link(with: provider, AuthRequest(methodKind: .web)).result.failure
            #expect(error?.code == .misconfigured && error?.explanation.contains("other users") == true)
            #expect(victim.auth.user?.providers == user.providers)
            _ = try await victim.auth.signIn(with: provider, using: .web).value
        }
    }

    /// What any app or page can open while the person is in KakaoTalk.
    nonisolated static let forgeries = [
        "", "?x=1", "?code=", "?code=a&code=b", "?code=junk&error=cancelled", "?code=junk", "?code=%20%0A", "?error=",
    ]

    @Test(arguments: forgeries) func cannotEndAnAttemptByKakaoTalk(query: String) async throws {
        try await withEmulator { emulator in
            let victim = EmulatedDevice(at: emulator.baseURL, backend: .server)
            victim.apps.kakaoTalk = .stay
            let attempt = Task { await victim.auth.signIn(with: .kakao).result }
            try await wait(for: "KakaoTalk to open") { victim.apps.visits[.kakaoTalk] != nil }
            let key = EmulatorConfiguration().kakao.nativeAppKey
            let taken = victim.callbacks.handle(try #require(URL(string: "kakao\(key)://oauth\(query)")))
            #expect(taken == (query == "?code=junk"), "A code can be told from a real one by Kakao alone.")
            // The person agrees after all: what KakaoTalk was opened with is opened once more.
            let asked = try #require(victim.apps.opened.last)
            victim.apps.kakaoTalk = .approve
            var isAnswered = false
            while !isAnswered {
                let before = victim.apps.unclaimedAnswers
                await victim.apps.open(asked, universalLinksOnly: true)?.waitForReturn()
                isAnswered = victim.apps.unclaimedAnswers == before
            }
            let result = await attempt.value
            #expect(throws: Never.self) { try result.get() }
            #expect(victim.browser.visits.isEmpty)
        }
    }

    @Test(arguments: ["", "?x=1", "?authCode=", "?code=x", "?code=0", "?code=2&authCode=junk"])
    func cannotEndAnAttemptByTheNaverApp(query: String) async throws {
        try await withEmulator { emulator in
            let victim = EmulatedDevice(at: emulator.baseURL, backend: .server)
            victim.apps.naver = .stay
            let attempt = Task { await victim.auth.signIn(with: .naver).result }
            try await wait(for: "the Naver app to open") { victim.apps.visits[.naver] != nil }
            let scheme = EmulatorConfiguration().naver.urlScheme
            #expect(!victim.callbacks.handle(try #require(URL(string: "\(scheme)://thirdPartyLoginResult\(query)"))))
            victim.apps.naver = .approve
            await victim.apps.open(try #require(victim.apps.opened.last), universalLinksOnly: false)?.waitForReturn()
            let result = await attempt.value
            #expect(throws: Never.self) { try result.get() }
        }
    }

    /// A code that another app made up, which only the server can tell from the person's own.
    @Test(arguments: backends) func cannotEndAnAttemptByACodeOfItsOwnForNaver(
        backend: EmulatedDevice.Backend
    ) async throws {
        try await withEmulator { emulator in
            let victim = EmulatedDevice(at: emulator.baseURL, backend: backend)
            victim.apps.naver = .stay
            var events = victim.auth.events.makeAsyncIterator()
            let attempt = Task { await victim.auth.signIn(with: .naver).result }
            try await wait(for: "the Naver app to open") { victim.apps.visits[.naver] != nil }
            let forged = try junk(1)
            #expect(victim.auth.handle(forged))
            // The refusal is an event, and the attempt waits again.
            var warned: AuthError.Code?
            while warned == nil, let event = await events.next() {
                if event.kind == .providerWarning { warned = event.failure?.code }
            }
            #expect(warned == .invalidCredential)
            victim.apps.naver = .approve
            await victim.apps.open(try #require(victim.apps.opened.last), universalLinksOnly: false)?.waitForReturn()
            let result = await attempt.value
            #expect(try result.get().provider == .naver)
            #expect(victim.browser.visits.isEmpty)
        }
    }

    @Test(arguments: backends) func fourthRefusedCodeEndsAnAttemptWithTheFirstRefusal(
        backend: EmulatedDevice.Backend
    ) async throws {
        try await withEmulator { emulator in
            let victim = EmulatedDevice(at: emulator.baseURL, backend: backend)
            victim.apps.naver = .stay
            let attempt = Task { await victim.auth.signIn(with: .naver).result }
            try await wait(for: "the Naver app to open") { victim.apps.visits[.naver] != nil }
            let taken = try (1...5).map { victim.callbacks.handle(try junk($0)) }
            #expect(taken == [true, true, true, true, false])
            let error = await attempt.value.failure
            #expect(error?.code == .invalidCredential && error?.provider == .naver)
            #expect(victim.auth.user == nil)
        }
    }

    private func junk(_ number: Int) throws -> URL {
        try #require(
            URL(
                string:
                    "\(EmulatorConfiguration().naver.urlScheme)://thirdPartyLoginResult?code=0&authCode=junk\(number)"))
    }
}
