import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// Apple reports changes of accounts to the app's server. What the person has withdrawn there ends the session at its next
/// refresh.
@MainActor
@Suite(.limitedParallelization) struct AppleNotificationTests {
    /// An app whose person has signed in, a minute ago.
    @MainActor
    private struct App {
        let emulator: Emulator
        let device: EmulatedDevice
        let clock: ManualClock

        var person: EmulatorUser { emulator.configuration.apple.users[0] }

        func notification(_ event: AppleNotification.Event, for clientID: String? = nil) -> AppleNotification {
            AppleNotification(event, of: person.id, at: emulator.configuration.clock.date, for: clientID)
        }

        /// Refreshes, and returns the state after that.
        func refreshed() async -> AuthState {
            clock.advance(by: .seconds(60))
            _ = try? await device.auth.accessToken(forceRefresh: true)
            return device.auth.state
        }
    }

    private func withApp(
        _ backend: EmulatedDevice.Backend, signedInWith provider: ProviderID = .apple,
        _ body: (App) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let time = clock.authClock(startingAt: Date(timeIntervalSince1970: 1_900_000_000))
        try await withEmulator(EmulatorConfiguration(clock: time)) { emulator in
            let device = EmulatedDevice(at: emulator.baseURL, backend: backend, clock: time)
            _ = try await device.auth.signIn(with: provider).value
            clock.advance(by: .seconds(60))
            try await body(App(emulator: emulator, device: device, clock: clock))
        }
    }

    @Test(
        arguments: EmulatedDevice.Backend.allCases,
        [AppleNotification.Event.consentRevoked, .accountDeleted, .accountDelete])
    func withdrawnAccessEndsTheSessionAtTheNextRefresh(
        backend: EmulatedDevice.Backend, event: AppleNotification.Event
    ) async throws {
        try await withApp(backend) { app in
            #expect(await app.emulator.apple.send(app.notification(event)) == [200, 200])
            #expect(app.device.auth.user != nil, "The device has not asked yet.")
            #expect(await app.refreshed() == .signedOut(.revokedAtProvider))
        }
    }

    @Test(arguments: EmulatedDevice.Backend.allCases)
    func laterSignInIsNotEndedByTheNotificationThatComesAgain(backend: EmulatedDevice.Backend) async throws {
        try await withApp(backend) { app in
            let notification = app.notification(.consentRevoked)
            await app.emulator.apple.send(notification)
            #expect(await app.refreshed() == .signedOut(.revokedAtProvider))
            _ = try await app.device.auth.signIn(with: .apple).value
            #expect(await app.emulator.apple.send(notification) == [200, 200])
            #expect(await app.refreshed().user != nil)
            // An earlier one that comes late does not undo the later one.
            await app.emulator.apple.send(app.notification(.consentRevoked))
            await app.emulator.apple.send(notification)
            #expect(await app.refreshed() == .signedOut(.revokedAtProvider))
        }
    }

    @Test(
        arguments: EmulatedDevice.Backend.allCases,
        [AppleNotification.Event.emailDisabled, .emailEnabled, .init(rawValue: "an-event-of-next-year")])
    func otherEventsEndNothing(backend: EmulatedDevice.Backend, event: AppleNotification.Event) async throws {
        try await withApp(backend) { app in
            #expect(await app.emulator.apple.send(app.notification(event)) == [200, 200])
            #expect(await app.refreshed().user != nil)
        }
    }

    @Test(arguments: EmulatedDevice.Backend.allCases)
    func whatIsNotApplesEndsNothing(backend: EmulatedDevice.Backend) async throws {
        try await withApp(backend) { app in
            var faults: [EmulatorFault] = [.wrongAudience, .wrongIssuer, .expiredToken]
            if app.emulator.signsTokens { faults += [.unsignedToken, .wrongSignature] }
            for fault in faults {
                #expect(await app.emulator.apple.send(app.notification(.consentRevoked), fault: fault) == [400, 400])
            }
            let another = app.notification(.consentRevoked, for: "com.example.another-app")
            #expect(await app.emulator.apple.send(another) == [400, 400])
            #expect(await app.refreshed().user != nil)
        }
    }

    @Test(arguments: EmulatedDevice.Backend.allCases)
    func personWhomTheAppDoesNotKnowIsNoError(backend: EmulatedDevice.Backend) async throws {
        try await withApp(backend) { app in
            var notification = app.notification(.accountDeleted)
            notification.userID = "001009.unknown.0009"
            #expect(await app.emulator.apple.send(notification) == [200, 200])
            #expect(await app.refreshed().user != nil)
        }
    }

    @Test(arguments: EmulatedDevice.Backend.allCases)
    func sessionOfAnotherProviderStays(backend: EmulatedDevice.Backend) async throws {
        try await withApp(backend, signedInWith: .google) { app in
            _ = try await app.device.auth.link(with: .apple).value
            await app.emulator.apple.revokeConsent(of: app.person.id)
            #expect(await app.refreshed().user != nil)
        }
    }

    @Test func withdrawnAccessMakesTheNextSignInAFirstOne() async throws {
        try await withEmulator { emulator in
            let callbacks = CallbackRouter()
            let browser = ScriptedBrowser(transport: URLSessionTransport.untimed()) { callbacks.handle($0) }
            let apple = EmulatedProviders(
                at: emulator.baseURL, opener: browser, callbacks: callbacks, transport: URLSessionTransport.untimed()
            ).apple
            let first = try await apple.authenticate().value
            let second = try await apple.authenticate().value
            await emulator.apple.revokeConsent(of: emulator.configuration.apple.users[0].id)
            let third = try await apple.authenticate().value
            #expect([first, second, third].map { $0.profile != nil } == [true, false, true])
        }
    }

    @Test func deletedAppleAccountIsUnlinked() async throws {
        try await withApp(.server) { app in
            await app.emulator.apple.revokeConsent(of: app.person.id)
            #expect(app.emulator.server.users.map(\.identities.count) == [1], "The person may come back.")
            await app.emulator.apple.deleteAccount(of: app.person.id)
            #expect(app.emulator.server.users.map(\.identities.count) == [0])
        }
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"payload": 1}"#, #"{"payload": "a.b.c"}"#, #"{"payload": ""}"#,
    ])
    func bodyThatCannotBeReadIsRefused(body: String) async throws {
        try await withEmulator { emulator in
            for address in emulator.configuration.apple.notificationURLs {
                let answer = try await URLSessionTransport.untimed().send(
                    AuthHTTPRequest(
                        .post, emulator.url(for: address), headers: ["Content-Type": "application/json"],
                        body: Data(body.utf8)))
                #expect(answer.status == 400)
                let other = try await URLSessionTransport.untimed().send(
                    AuthHTTPRequest(.get, emulator.url(for: address)))
                #expect(other.status == 405)
            }
        }
    }

    /// A server in development hears of it, too.
    @Test func addressThatIsNotEmulatedIsCalled() async throws {
        try await withEmulator { server in
            var configuration = EmulatorConfiguration()
            let address = server.url(for: "https://api.pulseboard.example/auth/apple/notifications")
            configuration.apple.notificationURLs = [address.absoluteString, "http://127.0.0.1:1/closed"]
            try await withEmulator(configuration) { emulator in
                let person = configuration.apple.users[0].id
                // Its issuer is another emulator.
                #expect(await emulator.apple.revokeConsent(of: person) == [400, nil])
                #expect(server.journal.entries.map(\.path) == ["/auth/apple/notifications"])
            }
        }
    }

    @Test func personMakesTheChangeOnAPage() async throws {
        try await withApp(.firebase) { app in
            let page = app.emulator.url(for: "https://appleid.apple.com/emulator/account")
            let shown = try await URLSessionTransport.untimed().send(AuthHTTPRequest(.get, page))
            #expect(String(decoding: shown.body, as: UTF8.self).contains("Stop using Sign in with Apple"))
            let form = AuthHTTPRequest(
                .post, page, headers: ["Content-Type": "application/x-www-form-urlencoded"],
                body: Data("user=\(app.person.id)&event=consent-revoked".utf8))
            let done = try await URLSessionTransport.untimed().send(form)
            #expect(String(decoding: done.body, as: UTF8.self).contains("Answers: 200, 200."))
            #expect(await app.refreshed() == .signedOut(.revokedAtProvider))
            let unknown = try await URLSessionTransport.untimed().send(AuthHTTPRequest(.post, page))
            #expect(unknown.status == 400)
        }
    }
}
