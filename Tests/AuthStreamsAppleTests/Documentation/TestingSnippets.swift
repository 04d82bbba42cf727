import AuthStreams
import AuthStreamsApple
import SwiftUI
import Testing

// What the article 'Test an app' shows of views is between the marks; `ContentView` is that of the article 'iOS in ten minutes'.

// The article lines its comments up.
// swift-format-ignore
@MainActor @ViewBuilder
private func previews(_ ada: AuthUser) -> some View {
    // Testing: previews
    ContentView().environment(\.auth, .preview(.signedIn))                         // a user of the library
    ContentView().environment(\.auth, .preview(.signedIn(as: ada)))                // one of yours
    ContentView().environment(\.auth, .preview(.cached))                           // not confirmed by the server yet
    ContentView().environment(\.auth, .preview(.offline, failing: .network))       // signed in without a network
    ContentView().environment(\.auth, .preview(.expired))                          // signed out, because the session expired
    ContentView().environment(\.auth, .preview(.waitingForUnlock))                 // the device was not unlocked yet
    ContentView().environment(\.auth, .preview(.waitingForPerson))                 // the gate is closed
    ContentView().environment(\.auth, .preview(.signingIn(.kakao)))                // an attempt that does not end
    ContentView().environment(\.auth, .preview(.asking(.code)))                    // an attempt that asks for a code
    ContentView().environment(\.auth, .preview(failing: .network))                 // each attempt fails
    ContentView().environment(\.auth, .preview(lastSignIn: SignInMethod(.naver)))  // the badge on Naver's button
    // Testing end
}

private struct LoginView: View {
    let model: AuthViewModel
    var body: some View { Text(verbatim: model.user?.displayName ?? "signed out") }
}

@MainActor
private func modelPreview() -> some View {
    // Testing: a preview of a view model
    LoginView(model: AuthViewModel(.preview(.signedIn)))
    // Testing end
}

@MainActor
@Test func previewOfAViewModelShowsTheUser() {
    #expect(ViewHost(modelPreview()).root.texts == ["Minji Kim"])
}

// Testing: a test of a view model
@MainActor
@Test func failedSignInIsReported() async {
    let auth = AuthService.preview(failing: .network)
    let model = AuthViewModel(auth)
    var errors = model.errors.makeAsyncIterator()

    model.signIn(with: .kakao)

    #expect(await errors.next()?.code == .network)
    #expect(auth.state == .signedOut(nil))
}
// Testing end

/// Each preview of the article shows what its comment says.
@MainActor
@Test func previewsShowWhatTheArticleSays() {
    let host = ViewHost(previews(AuthUser(id: "ada", displayName: "Ada")))
    #expect(
        host.root.texts.filter { $0.hasPrefix("Hello") } == [
            "Hello, Minji Kim", "Hello, Ada", "Hello, Minji Kim", "Hello, Minji Kim",
        ])
    #expect(host.root.texts.count { $0 == "Login with Kakao" } == 5)
}
