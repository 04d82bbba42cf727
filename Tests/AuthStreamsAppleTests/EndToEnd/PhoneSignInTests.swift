import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import AuthenticationServices
import Foundation
import TestSupport
import Testing
import UIKit

@testable import AuthStreamsApple

/// Whole sign-ins on the simulated phone: sheets, other apps and scenes by this library's own code, every request by HTTP.
@Suite(.appleDevice) @MainActor struct PhoneSignInTests {
    private func begin(
        _ app: PhoneApp, _ provider: ProviderID, using kind: SignInMethod.Kind? = nil,
        _ request: AuthRequest = AuthRequest()
    ) -> Task<SignInResult, any Error> {
        Task { [auth = app.auth] in try await auth.signIn(with: provider, using: kind, request).value }
    }

    @Test(arguments: [ProviderID.google, .kakao, .naver]) func sheetSignsIn(provider: ProviderID) async throws {
        try await withEmulator { emulator in
            let app = PhoneApp(at: emulator.baseURL)
            let scene = AppleDevice.App.connect(delegate: app)
            let attempt = begin(app, provider, using: .web)
            let sheet = try await PhonePerson(base: emulator.baseURL).agreeInTheSheet()
            #expect(try await attempt.value.provider == provider)
            #expect(app.auth.user?.providers.map(\.id) == [provider])
            #expect(sheet.anchor === scene.keyWindow && AppleDevice.App.opened.isEmpty)
        }
    }

    @Test(arguments: [ProviderID.kakao, .naver]) func otherAppSignsIn(provider: ProviderID) async throws {
        try await withEmulator { emulator in
            PhonePerson.installApps()
            let app = PhoneApp(at: emulator.baseURL)
            let scene = AppleDevice.App.connect(delegate: app)
            let attempt = begin(app, provider)
            let opened = try await PhonePerson(base: emulator.baseURL).act(.approve, in: scene)
            #expect(try await attempt.value.provider == provider)
            #expect(opened.scheme == (provider == .kakao ? "https" : "naversearchthirdlogin"))
            #expect(AppleDevice.WebAuthentication.started == 0)
        }
    }

    /// KakaoTalk answers by a URL, which comes before the scene is active. The page waits for the scene.
    @Test(arguments: [ProviderID.kakao, .naver])
    func appWithoutAnAccountIsFollowedByTheSheet(provider: ProviderID) async throws {
        try await withEmulator { emulator in
            PhonePerson.installApps()
            let app = PhoneApp(at: emulator.baseURL)
            let scene = AppleDevice.App.connect(delegate: app)
            let attempt = begin(app, provider)
            let person = PhonePerson(base: emulator.baseURL)
            try await person.act(.notSignedIn, in: scene)
            let sheet = try await person.agreeInTheSheet()
            #expect(try await attempt.value.provider == provider)
            #expect(sheet.anchor === scene.keyWindow)
        }
    }

    @Test func linkThatWouldOpenTheBrowserIsFollowedByTheSheet() async throws {
        try await withEmulator { emulator in
            PhonePerson.installApps()
            AppleDevice.App.universalLinkHosts = []
            let app = PhoneApp(at: emulator.baseURL)
            AppleDevice.App.connect(delegate: app)
            let attempt = begin(app, .kakao)
            try await PhonePerson(base: emulator.baseURL).agreeInTheSheet()
            #expect(try await attempt.value.provider == .kakao)
            #expect(AppleDevice.App.opened.isEmpty)
        }
    }

    @Test func cancelInKakaoTalkIsThePersonsAndNoSheetFollows() async throws {
        try await withEmulator { emulator in
            PhonePerson.installApps()
            let app = PhoneApp(at: emulator.baseURL)
            for await state in app.auth.states where state == .signedOut(nil) { break }
            let scene = AppleDevice.App.connect(delegate: app)
            let attempt = begin(app, .kakao)
            try await PhonePerson(base: emulator.baseURL).act(.cancel, in: scene)
            #expect(await attempt.authError?.isUserCancellation == true)
            #expect(AppleDevice.WebAuthentication.started == 0 && app.auth.state == .signedOut(nil))
        }
    }

    /// An app that KakaoTalk's answer would not open says so, and signs in by the page, whose answer needs no entry.
    @Test func missingEntryIsAWarningAndTheSheetSignsIn() async throws {
        try await withEmulator { emulator in
            PhonePerson.installApps()
            let app = PhoneApp(at: emulator.baseURL, information: AppInformation(queries: ["kakaokompassauth"]))
            AppleDevice.App.connect(delegate: app)
            let warnings = Lock<[AuthError]>([])
            let request = AuthRequest(onWarning: { warning in warnings.withLock { $0.append(warning) } })
            let attempt = begin(app, .kakao, using: nil, request)
            try await PhonePerson(base: emulator.baseURL).agreeInTheSheet()
            _ = try await attempt.value
            #expect(AppleDevice.App.opened.isEmpty)
            let warning = try #require(warnings.withLock { $0.first })
            #expect(warning.code == .misconfigured && warning.explanation.contains("CFBundleURLTypes lacks"))

            try await app.auth.signOut()
            let error = await begin(app, .kakao, using: .app).authError
            #expect(error?.code == .misconfigured && error?.explanation == warning.explanation)
        }
    }

    /// The answer of another attempt, or one that a page made up. The sheet has closed, so the attempt cannot wait on.
    @Test func answerOfAnotherAttemptEndsTheAttempt() async throws {
        try await withEmulator { emulator in
            let app = PhoneApp(at: emulator.baseURL)
            AppleDevice.App.connect(delegate: app)
            let attempt = begin(app, .naver, using: .web)
            let sheet = await AppleDevice.WebAuthentication.nextSheet()
            sheet.redirect(to: URL(literal: "authstreamsnaver://authorize?code=x&state=y"))
            #expect(await attempt.authError?.code == .stateMismatch)
            #expect(app.auth.user == nil)
        }
    }

    /// The system hands the sheet's answer to the sheet alone, so a URL that comes by a scene is another app's.
    @Test func urlOfAnotherAppDoesNotReachTheSheet() async throws {
        try await withEmulator { emulator in
            let app = PhoneApp(at: emulator.baseURL)
            let scene = AppleDevice.App.connect(delegate: app)
            let attempt = begin(app, .naver, using: .web)
            let sheet = await AppleDevice.WebAuthentication.nextSheet()
            let callback = try await answer(to: sheet.url)
            AppleDevice.App.deliver(
                URL(literal: "authstreamsnaver://authorize?error=access_denied&state=y"), to: scene,
                sourceApplication: "another.app")
            sheet.redirect(to: callback)
            #expect(try await attempt.value.provider == .naver)
            // Replayed, it resumes nothing.
            AppleDevice.App.deliver(callback, to: scene, sourceApplication: "another.app")
            #expect(AppleDevice.WebAuthentication.started == 1)
        }
    }

    @Test func newSignInClosesTheSheetOfTheOneBefore() async throws {
        try await withEmulator { emulator in
            let app = PhoneApp(at: emulator.baseURL)
            AppleDevice.App.connect(delegate: app)
            let first = begin(app, .google)
            let sheet = await AppleDevice.WebAuthentication.nextSheet()
            let second = begin(app, .naver, using: .web)
            #expect(await first.authError?.code == .superseded)
            #expect(sheet.isCancelled)
            try await PhonePerson(base: emulator.baseURL).agreeInTheSheet()
            #expect(try await second.value.provider == .naver)
        }
    }

    private func signedInUser(of app: PhoneApp) async -> AuthUser? {
        for await state in app.auth.states { if let user = state.user { return user } }
        return nil
    }

    /// The system ended the app while the person was at the page. The answer launches it in a new process.
    @Test(arguments: [ProviderID.google, .kakao, .naver]) func coldLaunchResumes(provider: ProviderID) async throws {
        try await withEmulator { emulator in
            let store = MemorySessionStore()
            let (attempt, callback) = try await interruptedAttempt(at: emulator, provider, in: store)
            defer { attempt.cancel() }

            // The process that ended does nothing any more: its attempt neither goes on nor is cancelled.
            let app = PhoneApp(at: emulator.baseURL, store: store, opensPagesInBrowser: true)
            AppleDevice.App.connect(delegate: app, urls: [callback])
            #expect(await signedInUser(of: app)?.providers.map(\.id) == [provider])
            #expect(AppleDevice.App.opened.count == 1, "No page is shown again.")
        }
    }

    /// An attempt at a page whose process ended, and the answer of the page.
    private func interruptedAttempt(
        at emulator: Emulator, _ provider: ProviderID = .naver, in store: MemorySessionStore
    ) async throws -> (attempt: Task<SignInResult, any Error>, answer: URL) {
        let ended = PhoneApp(at: emulator.baseURL, store: store, opensPagesInBrowser: true)
        AppleDevice.App.connect(delegate: ended)
        let attempt = begin(ended, provider, using: .web)
        let page = await AppleDevice.App.nextOpened()
        return (attempt, try await answer(to: page))
    }

    /// The system or another app opens the URL again, in the same launch or in a later one.
    @Test(arguments: [true, false]) func urlReplayedAtAColdLaunchIsAnsweredOnce(isLaterLaunch: Bool) async throws {
        try await withEmulator { emulator in
            let store = MemorySessionStore()
            let (attempt, answer) = try await interruptedAttempt(at: emulator, in: store)
            defer { attempt.cancel() }
            let first = PhoneApp(at: emulator.baseURL, store: store, opensPagesInBrowser: true)
            AppleDevice.App.connect(delegate: first, urls: [answer])
            let user = await signedInUser(of: first)
            let requests = emulator.journal.entries.count

            let app = isLaterLaunch ? PhoneApp(at: emulator.baseURL, store: store, opensPagesInBrowser: true) : first
            #expect(await signedInUser(of: app) == user)
            var events = app.auth.events.makeAsyncIterator()
            AppleDevice.App.connect(delegate: app, urls: [answer])
            #expect(await events.next()?.kind == .callbackIgnored)
            #expect(app.auth.user == user && emulator.journal.entries.count == requests, "Nothing is sent again.")
        }
    }

    @Test func urlWhoseAnswerFailedIsNotAnsweredAgain() async throws {
        try await withEmulator { emulator in
            let store = MemorySessionStore()
            let (attempt, answer) = try await interruptedAttempt(at: emulator, in: store)
            defer { attempt.cancel() }
            emulator.inject(.status(400), at: .naverToken)
            let app = PhoneApp(at: emulator.baseURL, store: store, opensPagesInBrowser: true)
            var events = app.auth.events.makeAsyncIterator()
            AppleDevice.App.connect(delegate: app, urls: [answer])
            while await events.next()?.kind != .signInFailed {}
            let requests = emulator.journal.entries.count
            AppleDevice.App.connect(delegate: app, urls: [answer])
            #expect(await events.next()?.kind == .callbackIgnored)
            #expect(app.auth.user == nil && emulator.journal.entries.count == requests)
        }
    }

    /// Another app's answer repeats nothing of the attempt, so it is not resumed. The app can say so.
    @Test(arguments: [ProviderID.kakao, .naver])
    func coldLaunchFromAnotherAppIsReported(provider: ProviderID) async throws {
        try await withEmulator { emulator in
            PhonePerson.installApps()
            let store = MemorySessionStore()
            let ended = PhoneApp(at: emulator.baseURL, store: store)
            let scene = AppleDevice.App.connect(delegate: ended)
            let attempt = begin(ended, provider)
            defer { attempt.cancel() }
            let answer = try await PhonePerson(base: emulator.baseURL).agree(inTheAppOpenedFrom: scene)

            let app = PhoneApp(at: emulator.baseURL, store: store)
            var events = app.auth.events.makeAsyncIterator()
            AppleDevice.App.connect(delegate: app, urls: [answer])
            var abandoned: AuthEvent?
            while abandoned == nil, let event = await events.next() {
                if [.attemptAbandoned, .callbackIgnored].contains(event.kind) { abandoned = event }
            }
            #expect(abandoned?.kind == .attemptAbandoned && abandoned?.provider == provider)
            #expect(app.auth.user == nil)
        }
    }

    /// The sheet and its answer end with the process, so nothing is stored for a later one.
    @Test func attemptInTheSheetIsNotStored() async throws {
        try await withEmulator { emulator in
            let store = MemorySessionStore()
            let app = PhoneApp(at: emulator.baseURL, store: store)
            AppleDevice.App.connect(delegate: app)
            let attempt = begin(app, .google)
            defer { attempt.cancel() }
            _ = await AppleDevice.WebAuthentication.nextSheet()
            let stored = try await store.note(.attempt)
            #expect(stored == nil)
        }
    }

    @Test func missingSchemeIsNamedBeforeTheBrowserOpens() async throws {
        try await withEmulator { emulator in
            let app = PhoneApp(
                at: emulator.baseURL, information: AppInformation(queries: []), opensPagesInBrowser: true)
            AppleDevice.App.connect(delegate: app)
            let error = await begin(app, .google).authError
            #expect(error?.code == .misconfigured && error?.explanation.contains("CFBundleURLTypes lacks") == true)
            #expect(AppleDevice.App.opened.isEmpty)
        }
    }
}
