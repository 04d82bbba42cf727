import AuthStreams
import AuthStreamsApple
import AuthStreamsTesting
import Foundation
import SwiftUI
import TestSupport
import Testing

/// The URLs that a scene of SwiftUI receives.
@Suite @MainActor struct AuthServiceModifierTests {
    struct Content: View {
        @Environment(\.auth) private var auth
        var body: some View { Text(verbatim: auth.user?.id ?? "none") }
    }

    @Test func viewsBelowFindTheService() {
        let host = ViewHost(Content().authService(.preview(.signedIn)))
        #expect(host.root.texts == ["preview"])
    }

    @Test func answerGoesToTheAttemptAndTheAppsOwnURLToItsScene() async throws {
        let callbacks = CallbackRouter()
        let auth = AuthService(
            repository: ScriptedRepository(), providers: [ScriptedProvider(.kakao)], store: MemorySessionStore(),
            callbacks: callbacks)
        let opened = [Record<URL>(), Record<URL>()]
        let scenes = opened.map { opened in
            ViewHost(Content().authService(auth) { opened.elements.append($0) })
        }
        let expectation = callbacks.expect { $0.host() == "callback" }
        let answer = try #require(URL(string: "pulse://callback?code=1"))
        let own = try #require(URL(string: "pulse://post/7"))
        scenes[0].open(answer)
        #expect(await expectation.callback() == answer)
        scenes[1].open(own)
        #expect(opened.map(\.elements) == [[], [own]])
    }

    @Test func universalLinksAreTheSame() throws {
        let own = try #require(URL(string: "https://pulse.example.com/post/7"))
        let opened = Record<URL>()
        let host = ViewHost(Content().authService(.preview()) { opened.elements.append($0) })
        let activity = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
        activity.webpageURL = own
        host.continue(activity)
        host.continue(NSUserActivity(activityType: "com.example.handoff"))
        #expect(opened.elements == [own])
    }
}
