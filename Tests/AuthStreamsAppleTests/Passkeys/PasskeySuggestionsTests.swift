import AuthStreams
import AuthStreamsApple
import AuthStreamsOAuth
import AuthStreamsTesting
import AuthenticationServices
import Foundation
import SwiftUI
import TestSupport
import Testing

/// Suggestions of AutoFill while no user is signed in, and a service with passkeys from its factory.
@MainActor
@Suite(.appleDevice, .enabled(if: Signatures.isAvailable)) struct PasskeySuggestionsTests {
    private let phone = PasskeyPhone()
    private let clock = ManualClock()
    private let calls = Lock([Preparation]())
    /// What the server says to the next requests for options, before it sends them.
    private let failures = Lock([AuthError]())
    /// What it says to the next answers, before it accepts them.
    private let refusals = Lock([AuthError]())
    private let results = Record<Result<String, AuthError>>()

    private func service(_ factories: [AuthProviderFactory] = [.passkey]) -> AuthService {
        var account = ScriptedAccount()
        let (calls, failures, refusals) = (calls, failures, refusals)
        let (request, creation) = (phone.requestOptions.json, phone.creationOptions.json)
        account.prepare = { preparation, _ in
            calls.withLock { $0.append(preparation) }
            if let error = failures.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw error }
            return ["publicKey": preparation == .passkeyAssertion ? request : creation]
        }
        let repository = ScriptedRepository(
            establish: { credential in
                if credential.provider == .passkey,
                    let error = refusals.withLock({ $0.isEmpty ? nil : $0.removeFirst() })
                {
                    throw error
                }
                return ScriptedRepository.session(of: credential)
            }, account: account)
        let platform = AuthPlatform.app(
            store: MemorySessionStore(), clock: clock.authClock(startingAt: .distantPast))
        return AuthService(.repository(repository), providers: factories, platform: platform)
    }

    private var request: AuthRequest { AuthRequest(presentation: .in(phone.window)) }

    private func suggest(_ auth: AuthService) -> Task<Void, Never> {
        let (results, request) = (results, request)
        return Task {
            await auth.suggestPasskeys(request) { result in results.elements.append(result.map(\.user.id)) }
        }
    }

    private func ready(_ auth: AuthService) async {
        for await state in auth.states { if case .signedOut = state { return } }
    }

    @Test func passkeyThatThePersonChoosesSignsIn() async throws {
        try phone.holdPasskey()
        let auth = service()
        let task = suggest(auth)
        let suggestions = await AppleDevice.Passkeys.nextRequest()
        #expect(suggestions.style == .autoFill && auth.state == .signedOut(nil))
        suggestions.approve()
        try await wait(for: "the sign-in") { !self.results.elements.isEmpty }
        #expect(results.elements.map { try? $0.get() } == ["passkey:unknown"])
        #expect(auth.user?.id == "passkey:unknown")
        task.cancel()
        await task.value
        #expect(calls.withLock { $0 } == [.passkeyAssertion])
    }

    @Test func suggestionsAreThereAgainAfterASignOut() async throws {
        try phone.holdPasskey()
        let auth = service()
        let task = suggest(auth)
        await AppleDevice.Passkeys.nextRequest().approve()
        try await wait(for: "the sign-in") { auth.user != nil }
        try await auth.signOut()
        #expect(await AppleDevice.Passkeys.nextRequest().style == .autoFill)
        task.cancel()
        await task.value
        try await wait(for: "the suggestions to end") { AppleDevice.Passkeys.underWay == nil }
    }

    @Test func suggestionsAreThereAgainAfterAnotherSignInHasFailed() async throws {
        let auth = service()
        let task = suggest(auth)
        _ = await AppleDevice.Passkeys.nextRequest()
        let attempt = Task { [request] in await auth.signIn(with: .passkey, request).result }
        let sheet = await AppleDevice.Passkeys.nextRequest()
        #expect(sheet.style == .modal)
        sheet.fail(ASAuthorizationError(.canceled))
        #expect(await attempt.value.code == .cancelled)
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(1))
        #expect(await AppleDevice.Passkeys.nextRequest().style == .autoFill)
        #expect(AppleDevice.Passkeys.refused.isEmpty && results.elements.isEmpty)
        task.cancel()
        await task.value
    }

    @Test func errorsAreFollowedByEverLongerPauses() async throws {
        failures.withLock { $0 = (0..<8).map { _ in AuthError(.network, "Offline.") } }
        let task = suggest(service())
        for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
            await clock.waitForSleepers(count: 1)
            let count = calls.withLock { $0.count }
            clock.advance(by: .seconds(seconds) - .milliseconds(1))
            #expect(calls.withLock { $0.count } == count)
            clock.advance(by: .milliseconds(1))
            try await wait(for: "the next request") { self.calls.withLock { $0.count } == count + 1 }
        }
        #expect(await AppleDevice.Passkeys.nextRequest().style == .autoFill)
        #expect(results.elements.isEmpty, "The person has asked for nothing.")
        task.cancel()
        await task.value
    }

    @Test func serverMayAskForALongerPause() async throws {
        failures.withLock { $0 = [AuthError(.rateLimited, "Later.", retryAfter: .seconds(90))] }
        let task = suggest(service())
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(89))
        #expect(calls.withLock { $0.count } == 1)
        clock.advance(by: .seconds(1))
        _ = await AppleDevice.Passkeys.nextRequest()
        task.cancel()
        await task.value
    }

    @Test func answerThatTheServerRefusesIsReported() async throws {
        try phone.holdPasskey()
        refusals.withLock { $0 = [AuthError(.invalidCredential, "The passkey is not known.")] }
        let task = suggest(service())
        await AppleDevice.Passkeys.nextRequest().approve()
        try await wait(for: "the error") { !self.results.elements.isEmpty }
        #expect(results.elements.map(\.code) == [.invalidCredential])
        task.cancel()
        await task.value
    }

    @Test func serviceWithoutPasskeysSuggestsNone() async {
        let auth = service([.provider(ScriptedProvider(.kakao))])
        await suggest(auth).value
        #expect(calls.withLock { $0 }.isEmpty)
    }

    // MARK: SwiftUI

    @Test func modifierSuggestsWhileTheViewIsShown() async throws {
        try phone.holdPasskey()
        let auth = service()
        let (signedIn, request) = (Record<String>(), request)
        let field = Text(verbatim: "address").passkeyAutoFill(request)
            .onSignIn { signedIn.elements.append($0.user.id) }
        let host = ViewHost(field, auth: auth)
        await AppleDevice.Passkeys.nextRequest().approve()
        try await wait(for: "the sign-in") { signedIn.elements == ["passkey:unknown"] }
        try await auth.signOut()
        let suggestions = await AppleDevice.Passkeys.nextRequest()
        host.show(EmptyView())
        try await wait(for: "the suggestions to end") {
            AppleDevice.Passkeys.cancelled == [suggestions.controller]
        }
    }

    @Test func refusedAnswerIsToldToThePerson() async throws {
        try phone.holdPasskey()
        refusals.withLock { $0 = [AuthError(.invalidCredential, "The passkey is not known.")] }
        let auth = service()
        let (messages, request) = (Record<String>(), request)
        let host = ViewHost(
            Text(verbatim: "address").passkeyAutoFill(request).onAuthError { messages.elements.append($0.text) },
            auth: auth)
        await AppleDevice.Passkeys.nextRequest().approve()
        try await wait(for: "the message") { messages.elements.count == 1 }
        host.show(EmptyView())
    }

    // MARK: The service

    @Test func silentQuestionAtLaunchLeavesTheStateAlone() async throws {
        let auth = service()
        await ready(auth)
        let error = await auth.signIn(with: .passkey, using: .immediate, request).result
        #expect(error.code == .noPasskey && auth.state == .signedOut(nil))
        try phone.holdPasskey()
        let attempt = Task { [request] in await auth.signIn(with: .passkey, using: .immediate, request).result }
        let sheet = await AppleDevice.Passkeys.nextRequest()
        #expect(sheet.style == .immediate && auth.state == .signedOut(nil))
        sheet.approve()
        _ = try await attempt.value.get()
        #expect(auth.user?.id == "passkey:unknown")
    }

    @Test func passkeyIsOfferedAfterAPassword() async throws {
        let auth = service()
        _ = try await auth.signIn(credential: .password(email: "a@example.com", "secret")).value
        #expect(await auth.offerPasskey())
        #expect(calls.withLock { $0 } == [.passkeyRegistration(isConditional: true)])
        #expect(phone.authenticator.passkeys.count == 1)
        AppleDevice.Passkeys.makesPasskeysWithoutAQuestion = false
        #expect(await !auth.offerPasskey())
    }

    @Test func domainOfTheAppMustBeThatOfTheServer() async throws {
        try phone.holdPasskey()
        let auth = service([.passkey(relyingPartyID: "example.org")])
        #expect(await auth.signIn(with: .passkey, request).result.code == .misconfigured)
        let same = service([.passkey(relyingPartyID: PasskeyPhone.domain)])
        let attempt = Task { [request] in await same.signIn(with: .passkey, request).result }
        await AppleDevice.Passkeys.nextRequest().approve()
        _ = try await attempt.value.get()
    }
}
