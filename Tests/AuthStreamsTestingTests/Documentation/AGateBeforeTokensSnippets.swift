import AuthStreams
import AuthStreamsTesting
import TestSupport
import Testing

// What the article 'A gate before tokens' shows of any platform is between the marks.

/// A screen of the app's own.
private actor PINScreen {
    private(set) var reasons: [SessionGate.Reason] = []
    /// Whether the PINs are wrong.
    private var refuses = false

    func refuse(_ refuses: Bool) { self.refuses = refuses }

    func ask(_ reason: SessionGate.Reason) throws {
        reasons.append(reason)
        if refuses { throw AuthError(.accessDenied, "The PIN is wrong.") }
    }
}

@MainActor
private final class Cover {
    var isHidden = true
}

@Suite @MainActor struct AGateBeforeTokensSnippets {
    private func gate(_ pinScreen: PINScreen) -> SessionGate {
        // AGateBeforeTokens: own gate
        let gate = SessionGate(after: .seconds(300)) { reason in  // .launch or .absence
            try await pinScreen.ask(reason)
        }
        // AGateBeforeTokens end
        return gate
    }

    private func service(_ platform: AuthPlatform, _ gate: SessionGate) -> AuthService {
        AuthService(
            .repository(ScriptedRepository()), providers: [.provider(ScriptedProvider(.kakao))], platform: platform,
            gate: gate)
    }

    @Test func sessionIsShownOnceTheAppIsActiveAndThePINWasEntered() async throws {
        let (store, pinScreen) = (MemorySessionStore(), PINScreen())
        var platform = AuthPlatform.isolated(store: store)
        do {
            let auth = service(platform, gate(pinScreen))
            _ = try await auth.signIn(with: .kakao).value
            _ = try await auth.accessToken()
        }
        #expect(await pinScreen.reasons.isEmpty)
        // AGateBeforeTokens: activity
        let activity = AppActivity()
        platform.activity = activity
        // AGateBeforeTokens end
        let auth = service(platform, gate(pinScreen))
        let locked = await auth.states.prefix { $0 == .restoring(.waitingForPerson) }
        #expect(locked.allSatisfy { $0.user == nil })
        // AGateBeforeTokens: moved
        activity.move(to: .active)  // for each of SwiftUI's ScenePhase, such as on watchOS
        // AGateBeforeTokens end
        _ = await auth.states.prefix { $0.user != nil }
        #expect(await pinScreen.reasons == [.launch])
    }

    @Test func contentIsCoveredUntilTheGateIsOpen() async throws {
        let activity = AppActivity(.active)
        var platform = AuthPlatform.isolated()
        platform.activity = activity
        let pinScreen = PINScreen()
        let auth = service(platform, SessionGate(after: .zero) { try await pinScreen.ask($0) })
        _ = try await auth.signIn(with: .kakao).value
        activity.move(to: .background)
        activity.move(to: .inactive)
        let cover = Cover()
        let reading = Task { await follow(auth, cover) }
        try await wait(for: "the cover") { !cover.isHidden }
        await pinScreen.refuse(true)
        activity.move(to: .active)
        #expect(await shown(auth) == ["The app could not be unlocked. Access was not allowed."])
        #expect(auth.gateState == .closed && auth.user != nil && !cover.isHidden)
        await pinScreen.refuse(false)
        #expect(await shown(auth).isEmpty)
        try await wait(for: "the content") { cover.isHidden }
        reading.cancel()
    }

    @Test func refusalSaysWhatToDoAndIsReported() async throws {
        let activity = AppActivity(.active)
        var platform = AuthPlatform.isolated()
        platform.activity = activity
        let auth = service(
            platform, SessionGate(after: .zero) { _ in throw AuthError(.deviceOwnerUnavailable, "No passcode.") })
        _ = try await auth.signIn(with: .kakao).value
        var events = auth.events.makeAsyncIterator()
        activity.move(to: .background)
        activity.move(to: .active)
        #expect(await events.next()?.kind == .gateAsked)
        #expect(await events.next()?.kind == .gateRefused)
        let error = await #expect(throws: AuthError.self) { try await auth.openGate() }
        #expect(error?.operation == .unlock)
        #expect(error.flatMap { AuthErrorTexts.Suggestion(for: $0) } == .secureDevice)
        activity.move(to: .inactive)
        #expect(auth.gateState == SessionGate.State.closed && activity.phase == .inactive)
    }

    private func follow(_ auth: AuthService, _ cover: Cover) async {
        // AGateBeforeTokens: reader
        for await state in auth.gateStates { cover.isHidden = state == .open }
        // AGateBeforeTokens end
    }

    /// What the button shows.
    private func shown(_ auth: AuthService) async -> [String] {
        var texts: [String] = []
        func show(_ text: String) { texts.append(text) }
        // AGateBeforeTokens: button
        do throws(AuthError) { try await auth.openGate() } catch {
            if let text = AuthErrorTexts.english.text(for: error) { show(text) }  // nil for the person's own cancel
        }
        // AGateBeforeTokens end
        return texts
    }
}
