import AuthStreams
import AuthStreamsApple
import AuthStreamsTesting
import Foundation
import SwiftUI
import TestSupport
import Testing

/// What taps on SwiftUI's buttons do.
@Suite @MainActor struct SignInButtonTests {
    let fixture = ViewModelFixture()
    let messages = Record<AuthMessage>()
    let results = Record<SignInResult>()
    let links = Record<AuthUser>()

    private func host(_ auth: AuthService, @ViewBuilder _ content: () -> some View) -> ViewHost {
        let view = content().onSignIn { [results] in
            results.elements.append($0)
        }
        .onLink { [links] in links.elements.append($0) }
        .onAuthError { [messages] in messages.elements.append($0) }
        return ViewHost(view, auth: auth)
    }

    @Test func tapSignsInAndTheResultIsToldOnce() async throws {
        let host = host(fixture.auth) { SignInButton(.google) }
        host.tap("Sign in with Google")
        #expect(await user(of: fixture.auth) == "google.com:1001")
        try await wait(for: "the result to be told") { !results.elements.isEmpty }
        await host.waitUntilIdle()
        host.drawNow()
        let user = AuthUser(id: "google.com:1001")
        #expect(results.elements == [SignInResult(user: user, isNewUser: false, provider: .google)])
        #expect(messages.elements.isEmpty && links.elements.isEmpty)
    }

    @Test func resultIsToldAfterTheViewHasGone() async {
        let told = Promise<SignInResult>()
        let host = ViewHost(SignInButton(.kakao).onSignIn { told.resolve($0) }, auth: fixture.auth)
        host.tap("Login with Kakao")
        await fixture.asked.value()
        host.show(EmptyView())
        fixture.answer.resolve(.success(()))
        #expect(await told.value()?.user.id == "kakao:1001")
    }

    @Test func innermostClosureLearnsTheResult() async {
        let told = Promise<SignInResult>()
        let host = host(fixture.auth) { SignInButton(.google).onSignIn { told.resolve($0) } }
        host.tap("Sign in with Google")
        #expect(await told.value()?.provider == .google)
        #expect(results.elements.isEmpty)
    }

    // MARK: Linking

    @Test func linkKeepsTheUserAndTellsThem() async throws {
        let auth = AuthService.preview(.signedIn)
        let host = host(auth) { SignInButton(.kakao, action: .link) }
        host.tap("Link Kakao")
        try await wait(for: "the link to be told") { !links.elements.isEmpty }
        #expect(links.elements.map(\.id) == [AuthPreview.user.id])
        #expect(links.elements.first?.providers.map(\.id) == [.kakao])
        #expect(auth.user == links.elements.first && results.elements.isEmpty && messages.elements.isEmpty)
    }

    /// A sign-in with the provider is another button's.
    @Test func linkShowsTheProgressOfALinkThatAnotherViewBegan() async throws {
        let host = host(fixture.auth) {
            VStack {
                SignInButton(.kakao, action: .link)
                SignInButton(.kakao)
            }
        }
        _ = try await fixture.auth.signIn(with: .google).value
        await host.wait { $0.accessibilityValues == ["", ""] }
        let attempt = Task { await fixture.auth.link(with: .kakao).result }
        await host.wait { !$0.all("ProgressView").isEmpty }
        #expect(host.root.accessibilityValues == ["Linking", ""])
        fixture.answer.resolve(.success(()))
        _ = await attempt.value
        await host.waitUntilIdle()
        #expect(host.root.accessibilityValues == ["", ""])
    }

    @Test func twentyTapsAreOneLink() async throws {
        let host = host(fixture.auth) { SignInButton(.kakao, action: .link) }
        _ = try await fixture.auth.signIn(with: .google).value
        for _ in 1...20 { host.tap("Link Kakao") }
        await fixture.asked.value()
        for _ in 1...20 { host.tap("Link Kakao") }
        fixture.answer.resolve(.success(()))
        try await wait(for: "the link to be told") { !links.elements.isEmpty }
        await host.waitUntilIdle()
        #expect(fixture.attempts.withLock { $0 } == 1 && links.elements.count == 1)
        #expect(fixture.auth.user?.id == "google.com:1001")
    }

    @Test func linkWithoutAUserTellsItsError() async {
        let host = host(.preview()) { SignInButton(.kakao, action: .link) }
        host.tap("Link Kakao")
        await host.waitUntilIdle()
        #expect(messages.elements.map(\.error.code) == [.notSignedIn])
    }

    // MARK: Taps

    @Test func twentyTapsAreOneAttempt() async {
        let host = host(fixture.auth) { SignInButton(.kakao) }
        for _ in 1...20 { host.tap("Login with Kakao") }
        await fixture.asked.value()
        await host.wait { $0.accessibilityValues == ["Signing in"] }
        for _ in 1...20 { host.tap("Login with Kakao") }
        fixture.answer.resolve(.success(()))
        await host.waitUntilIdle()
        #expect(host.root.accessibilityValues == [""])
        #expect(fixture.attempts.withLock { $0 } == 1)
        #expect(fixture.auth.user?.id == "kakao:1001")
        #expect(messages.elements.isEmpty)
    }

    @Test func anotherProviderReplacesTheAttempt() async {
        let host = host(fixture.auth) {
            VStack {
                SignInButton(.kakao)
                SignInButton(.google)
            }
        }
        host.tap("Login with Kakao")
        await fixture.asked.value()
        host.tap("Sign in with Google")
        await fixture.cancelled.value()
        await host.waitUntilIdle()
        #expect(fixture.auth.user?.id == "google.com:1001")
        #expect(messages.elements.isEmpty && results.elements.map(\.provider) == [.google])
    }

    /// The button that was tapped last counts, also right after another.
    @Test func lastTapCounts() async {
        let host = host(fixture.auth) {
            VStack {
                SignInButton(.google)
                SignInButton(.kakao)
            }
        }
        fixture.answer.resolve(.success(()))
        host.tap("Sign in with Google")
        host.tap("Login with Kakao")
        await host.waitUntilIdle()
        #expect(fixture.auth.user?.id == "kakao:1001")
    }

    @Test func attemptContinuesAfterItsViewHasGone() async {
        let host = host(fixture.auth) { SignInButton(.kakao) }
        host.tap("Login with Kakao")
        await fixture.asked.value()
        host.show(EmptyView())
        #expect(host.root.texts.isEmpty)
        fixture.answer.resolve(.success(()))
        #expect(await user(of: fixture.auth) == "kakao:1001")
    }

    @Test func buttonShowsASignInThatAnotherViewBegan() async {
        let host = host(fixture.auth) {
            VStack {
                SignInButton(.google)
                SignInButton(.kakao)
            }
        }
        let attempt = Task { await fixture.auth.signIn(with: .kakao).result }
        await host.wait { !$0.all("ProgressView").isEmpty }
        #expect(host.root.accessibilityValues == ["", "Signing in"])
        fixture.answer.resolve(.success(()))
        _ = await attempt.value
        await host.waitUntilIdle()
        #expect(host.root.accessibilityValues == ["", ""])
    }

    @Test func progressIsThatOfTheServiceOfNow() {
        let host = ViewHost(SignInButton(.kakao), auth: .preview(.signingIn(.kakao)))
        #expect(host.root.accessibilityValues == ["Signing in"])
        host.change { $0.auth = .preview() }
        #expect(host.root.accessibilityValues == [""])
    }

    @Test func errorIsToldAfterTheViewHasGone() async {
        let told = Promise<AuthMessage>()
        let host = ViewHost(SignInButton(.kakao).onAuthError { told.resolve($0) }, auth: fixture.auth)
        host.tap("Login with Kakao")
        await fixture.asked.value()
        host.show(EmptyView())
        fixture.answer.resolve(.failure(AuthError(.network, "Offline.")))
        #expect(await told.value()?.error.code == .network)
    }

    /// One closure receives the errors of the buttons and those of a view model, in the language of the view.
    @Test func errorsOfButtonsAndOfTheViewModelComeToOnePlace() async {
        let auth = AuthService.preview(failing: .network)
        let model = AuthViewModel(auth)
        let told = Broadcast<AuthMessage>()
        var messages = told.makeAsyncIterator()
        let host = ViewHost(
            SignInButton(.kakao).onAuthError(of: model) { told.send($0) }, auth: auth, locale: "ko_KR")
        host.tap("카카오 로그인")
        #expect(await messages.next()?.error.operation == .signIn)
        model.reload()
        let message = await messages.next()
        #expect(message?.error.operation == .reload)
        #expect(message?.text == AuthErrorTexts.korean.text(for: message?.error ?? .init(.cancelled, "")))
    }

    @Test func viewsKeepNoServiceAlive() async throws {
        var fixture: ViewModelFixture? = ViewModelFixture()
        weak let auth = fixture?.auth
        var host: ViewHost? = ViewHost(SignInPicker(), auth: fixture!.auth)
        host?.tap("Sign in with Google")
        await host?.waitUntilIdle()
        host?.show(EmptyView())
        host = nil
        fixture = nil
        try await released { auth == nil }
    }

    /// The attempt keeps it, ends, and tells its error.
    @Test func serviceThatIsReleasedWhileASheetIsUpIsKeptUntilItsEnd() async throws {
        let told = Promise<AuthMessage>()
        var fixture: ViewModelFixture? = ViewModelFixture()
        let (asked, answer) = (fixture!.asked, fixture!.answer)
        weak let auth = fixture?.auth
        var host: ViewHost? = ViewHost(SignInButton(.kakao).onAuthError { told.resolve($0) }, auth: fixture!.auth)
        host?.tap("Login with Kakao")
        await asked.value()
        host?.show(EmptyView())
        (host, fixture) = (nil, nil)
        #expect(auth != nil)
        answer.resolve(.failure(AuthError(.network, "Offline.")))
        #expect(await told.value()?.error.code == .network)
        try await released { auth == nil }
    }

    @Test func sameErrorTwiceIsToldTwiceAndARedrawTellsNothing() async {
        let host = host(.preview(failing: .network)) { SignInButton(.kakao) }
        for count in 1...2 {
            host.tap("Login with Kakao")
            await host.waitUntilIdle()
            #expect(messages.elements.count == count)
            let drawings = host.drawings
            host.drawNow()
            #expect(host.drawings == drawings + 1)
        }
        #expect(messages.elements.map(\.error.code) == [.network, .network])
        #expect(messages.elements.allSatisfy { !$0.text.isEmpty })
    }

    @Test func cancelOfThePersonTellsNothing() async {
        let host = host(.preview(failing: .cancelled)) { SignInButton(.kakao) }
        host.tap("Login with Kakao")
        await host.waitUntilIdle()
        #expect(messages.elements.isEmpty)
    }

    @Test func withoutAServiceTheErrorNamesTheModifier() async {
        let told = Promise<AuthMessage>()
        let host = ViewHost(SignInButton(.naver).onAuthError { told.resolve($0) })
        host.tap("Log in with NAVER")
        let error = await told.value()?.error
        #expect(error?.code == .misconfigured)
        #expect(error?.explanation.contains("authService(_:)") == true)
    }

    @Test func errorIsInTheLanguageOfItsView() async {
        let auth = AuthService.preview(failing: .network)
        let host = host(auth) {
            VStack {
                SignInButton(.kakao).environment(\.locale, Locale(identifier: "ko_KR"))
                SignInButton(.kakao).environment(\.locale, Locale(identifier: "en_GB"))
            }
        }
        for label in ["카카오 로그인", "Login with Kakao"] {
            host.tap(label)
            await host.waitUntilIdle()
        }
        var error = AuthError(.network, "Offline.", provider: .kakao)
        error.operation = .signIn
        #expect(
            messages.elements.map(\.text) == [
                AuthErrorTexts.korean.text(for: error), AuthErrorTexts.english.text(for: error),
            ])
    }
}

/// Waits until a user is signed in.
@MainActor private func user(of auth: AuthService) async -> AuthUser.ID? {
    for await state in auth.states { if let user = state.user { return user.id } }
    return nil
}

/// Waits until the service is released: the attempt that has ended lets go of it right after its result.
@MainActor private func released(_ isReleased: () -> Bool) async throws {
    try await wait(for: "the service to be released", until: isReleased)
}
