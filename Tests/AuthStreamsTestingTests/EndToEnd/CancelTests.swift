import AuthStreams
import AuthStreamsTesting
import TestSupport
import Testing

/// A task that is cancelled at any step ends its attempt with `cancelled`, at once, and leaves no trace of it.
@MainActor
@Suite struct CancelTests {
    /// Where an attempt stands still: at a server that holds its answer, or at a person who does nothing.
    struct Stop: Sendable, CustomTestStringConvertible {
        let provider: ProviderID
        let step: AuthState.SignInStep
        /// `nil` where the person does nothing.
        let endpoint: EmulatorEndpoint?
        var testDescription: String { "\(provider) at \(step)\(endpoint.map { ", \($0)" } ?? "")" }
    }

    nonisolated static let stops: [Stop] = [
        Stop(provider: .apple, step: .presenting, endpoint: nil),
        Stop(provider: .apple, step: .exchanging, endpoint: .appleKeys),
        Stop(provider: .apple, step: .establishingSession, endpoint: .signInWithIdP),
        Stop(provider: .apple, step: .establishingSession, endpoint: .accountLookup),
        Stop(provider: .google, step: .presenting, endpoint: nil),
        Stop(provider: .google, step: .exchanging, endpoint: .googleToken),
        Stop(provider: .google, step: .exchanging, endpoint: .googleKeys),
        Stop(provider: .google, step: .establishingSession, endpoint: .signInWithIdP),
        Stop(provider: .kakao, step: .waitingForOtherApp, endpoint: nil),
        Stop(provider: .kakao, step: .exchanging, endpoint: .kakaoToken),
        Stop(provider: .kakao, step: .exchanging, endpoint: .kakaoKeys),
        Stop(provider: .kakao, step: .establishingSession, endpoint: .socialLogin),
        Stop(provider: .kakao, step: .establishingSession, endpoint: .signInWithCustomToken),
        Stop(provider: .naver, step: .waitingForOtherApp, endpoint: nil),
        Stop(provider: .naver, step: .establishingSession, endpoint: .socialLogin),
        Stop(provider: .naver, step: .establishingSession, endpoint: .accountLookup),
    ]

    @Test(arguments: stops) func cancellingAtAnyStepEndsTheAttempt(stop: Stop) async throws {
        try await withEmulator { emulator in
            let device = EmulatedDevice(at: emulator.baseURL)
            var states = device.auth.states.makeAsyncIterator()
            while await states.next() != .signedOut(nil) {}
            let gate = EmulatorGate()
            if let endpoint = stop.endpoint {
                emulator.inject(.held(until: gate), at: endpoint)
            } else {
                device.browser.answers = [.ignore]
                (device.apps.kakaoTalk, device.apps.naver) = (.stay, .stay)
            }

            let attempt = Attempt(device.auth.signIn(with: stop.provider))
            guard await attempt.reaches(stop, of: device, gate) else { return gate.open() }
            attempt.task.cancel()

            let error = await attempt.task.value.failure
            #expect(error?.code == .cancelled)
            #expect(error?.provider == stop.provider)
            var present = device.auth.states.makeAsyncIterator()
            while await present.next() == .restoring(.reading) {}
            #expect(device.auth.state == .signedOut(nil))
            gate.open()
        }
    }

    @Test(arguments: stops) func supersedingAtAnyStepEndsTheAttempt(stop: Stop) async throws {
        try await withEmulator { emulator in
            let device = EmulatedDevice(at: emulator.baseURL)
            let gate = EmulatorGate()
            if let endpoint = stop.endpoint {
                emulator.inject(.held(until: gate), at: endpoint)
            } else {
                (device.apps.kakaoTalk, device.apps.naver) = (.stay, .stay)
                if stop.step == .presenting { device.browser.answers = [.ignore, .approve] }
            }
            let first = Attempt(device.auth.signIn(with: stop.provider))
            guard await first.reaches(stop, of: device, gate) else { return gate.open() }
            if stop.endpoint == nil { try await personIsAsked(by: device) }
            (device.apps.kakaoTalk, device.apps.naver) = (.approve, .approve)

            let user = try await device.auth.signIn(with: .google).value.user
            #expect(await first.task.value.failure?.code == .superseded)
            #expect(device.auth.state == .signedIn(user, .verified))
            gate.open()
        }
    }

    /// The step is shown just before the page or app opens; the person's conduct must not change before that.
    private func personIsAsked(by device: EmulatedDevice) async throws {
        try await wait(for: "the page or app to open") {
            guard case .signingIn = device.auth.state else { return true }
            return !device.browser.visits.isEmpty || !device.apps.visits.isEmpty
        }
    }
}

/// A sign-in under way, and whether it is over.
private struct Attempt {
    let task: Task<Result<SignInResult, AuthError>, Never>
    private let hasEnded: Promise<Void>

    init(_ stream: AuthStream<SignInResult>) {
        let hasEnded = Promise<Void>()
        self.hasEnded = hasEnded
        task = Task {
            let result = await stream.result
            hasEnded.resolve(())
            return result
        }
    }

    /// Waits until the attempt stands still where it should. One that ends before fails the test, and says what happened.
    @MainActor
    func reaches(_ stop: CancelTests.Stop, of device: EmulatedDevice, _ gate: EmulatorGate) async -> Bool {
        let states = device.auth.states
        let isThere = await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                for await state in states where state == .signingIn(stop.provider, stop.step) { break }
                if stop.endpoint != nil { await gate.arrival() }
                return true
            }
            group.addTask { [hasEnded] in
                _ = await hasEnded.value()
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
        guard !isThere else { return true }
        Issue.record(
            """
            The attempt ended before it came so far: \(await task.value.failure?.debugDescription ?? "a user"). \
            Apps visited: \(device.apps.visits), refusals of the apps: \(device.apps.refusals), \
            pages visited: \(device.browser.visits.count)
            """)
        return false
    }
}
