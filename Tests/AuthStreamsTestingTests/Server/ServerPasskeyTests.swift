import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// Passkeys at the app's own server, which really verifies what the emulated device really signs.
@Suite(.enabled(if: Signatures.isAvailable, "needs libcrypto"), .limitedParallelization)
struct ServerPasskeyTests {
    private let device = EmulatedAuthenticator()

    /// Makes an account with a password, and adds a passkey.
    private func registered(_ app: ServerApp) async throws -> AuthUser {
        _ = try await app.signUp()
        return try await app.auth.link(with: .passkey).value
    }

    private func signIn(_ app: ServerApp, by kind: SignInMethod.Kind? = nil) async -> Result<AuthUser, AuthError> {
        await begin(app, by: kind).value
    }

    /// Begins a sign-in.
    private func begin(
        _ app: ServerApp, by kind: SignInMethod.Kind? = nil
    ) -> Task<Result<AuthUser, AuthError>, Never> {
        app.run(app.auth.signIn(with: SignInMethod(.passkey, using: kind)))
    }

    // MARK: Registration, sign-in, list, removal

    @Test func passkeyIsAddedListedUsedAndRemoved() async throws {
        try await EmulatedBackend.run { backend in
            let app = ServerApp(backend, passkeys: device)
            let user = try await registered(app)
            #expect(user.providers.map(\.id) == [.password, .passkey] && device.accounts == ["minji@example.com"])
            let listed = try await app.auth.passkeys()
            try #require(listed.count == 1 && listed[0].createdAt == app.now && listed[0].lastUsedAt == nil)

            try await app.auth.signOut()
            backend.clock.advance(by: .seconds(60))
            let back = try await signIn(app).get()
            #expect(back.id == user.id && app.auth.state == .signedIn(back, .verified))
            #expect(try await app.auth.passkeys().map(\.lastUsedAt) == [app.now])

            let rest = try await app.auth.removePasskey(listed[0].id).value
            #expect(rest.providers.map(\.id) == [.password])
            #expect(try await app.auth.passkeys().isEmpty)
            try await app.auth.signOut()
            // The device still offers it. The server refuses it.
            #expect(await signIn(app).failure?.code == .invalidCredential && device.accounts.count == 1)
        }
    }

    @Test func onlyWayToSignInStays() async throws {
        try await EmulatedBackend.run { backend in
            let app = ServerApp(backend, passkeys: device)
            _ = try await registered(app)
            _ = try await app.auth.unlink(.password).value
            let passkey = try #require(try await app.auth.passkeys().first)
            let error = await app.auth.removePasskey(passkey.id).result().failure
            #expect(error?.code == .lastProvider && error?.operation == .passkeyRemoval)
            #expect(try await app.auth.passkeys().count == 1)
        }
    }

    @Test func anonymousUserIsMadePermanentByAPasskey() async throws {
        try await EmulatedBackend.run { backend in
            let app = ServerApp(backend, passkeys: device)
            let guest = try await app.auth.signInAnonymously().value.user
            let user = try await app.auth.link(with: .passkey).value
            #expect(user.id == guest.id && !user.isAnonymous)
            try await app.auth.signOut()
            #expect(try await signIn(app).get().id == guest.id)
        }
    }

    @Test func devicesHaveOnePasskeyOfAnAccount() async throws {
        try await EmulatedBackend.run { backend in
            let app = ServerApp(backend, passkeys: device)
            _ = try await registered(app)
            let error = await app.auth.link(with: .passkey).result().failure
            #expect(error?.code == .passkeyExists && error?.provider == .passkey && error?.errorDescription != nil)
            #expect(device.accounts.count == 1)
            #expect(try await app.auth.passkeys().count == 1)
        }
    }

    // MARK: Re-authentication and second factors

    @Test func passkeyMakesTheSignInRecent() async throws {
        try await EmulatedBackend.run { backend in
            let app = ServerApp(backend, passkeys: device)
            let user = try await registered(app)
            backend.clock.advance(by: .seconds(600))
            #expect(await app.auth.link(with: .passkey).result().failure?.code == .requiresRecentSignIn)
            #expect(try await app.auth.reauthenticate(with: .passkey).value.id == user.id)
            // It is recent from now on.
            #expect(await app.auth.link(with: .passkey).result().failure?.code == .passkeyExists)
        }
    }

    @Test func userWithoutAPasskeyProvesNothingByOne() async throws {
        try await EmulatedBackend.run { backend in
            let app = ServerApp(backend, passkeys: device)
            _ = try await registered(app)
            try await app.auth.signOut()
            let other = try await app.auth.signInAnonymously().value.user
            let error = await app.auth.reauthenticate(with: .passkey).result().failure
            #expect(error?.code == .invalidCredential && app.auth.user?.id == other.id)
        }
    }

    @Test func verifiedPersonIsNotAskedForTheSecondFactor() async throws {
        try await EmulatedBackend.run { backend in
            let app = ServerApp(backend, passkeys: device)
            let user = try await registered(app)
            app.server.addFactor(to: user.id, at: "+82 10-0000-0000")
            try await app.auth.signOut()
            #expect(try await signIn(app).get().id == user.id)
            #expect(backend.emulator.messages.isEmpty)
        }
    }

    // MARK: Without a tap

    @Test func questionAtLaunchEndsQuietlyWithoutAPasskey() async throws {
        try await EmulatedBackend.run { backend in
            let app = ServerApp(backend, passkeys: device)
            for await state in app.auth.states where state == .signedOut(nil) { break }
            let error = await signIn(app, by: .immediate).failure
            #expect(error?.code == .noPasskey && error?.isUserCancellation == true && error?.errorDescription == nil)
            #expect(app.auth.state == .signedOut(nil))
            // The sheet offers passkeys of other devices, which the person closes.
            #expect(await signIn(app, by: .sheet).failure?.code == .cancelled)
        }
    }

    @Test func questionAtLaunchThatIsClosedIsLikeNone() async throws {
        try await EmulatedBackend.run { backend in
            let app = ServerApp(backend, passkeys: device)
            _ = try await registered(app)
            try await app.auth.signOut()
            device.person = .cancels
            #expect(await signIn(app, by: .immediate).failure?.code == .noPasskey)
        }
    }

    @Test func suggestionsOutliveTheServersChallenge() async throws {
        try await EmulatedBackend.run { backend in
            let app = ServerApp(backend, passkeys: device)
            let user = try await registered(app)
            try await app.auth.signOut()
            let suggested = begin(app, by: .conditional)
            for _ in 1...3 {
                await backend.clock.waitForSleepers(count: 1)
                backend.clock.advance(by: .seconds(300))
            }
            await backend.clock.waitForSleepers(count: 1)
            await device.chooseSuggestion()
            #expect(try await suggested.value.get().id == user.id)
        }
    }

    @Test func guestIsAskedToo() async throws {
        try await EmulatedBackend.run { backend in
            let app = ServerApp(backend, passkeys: device)
            let user = try await registered(app)
            try await app.auth.signOut()
            _ = try await app.auth.signInAnonymously().value
            #expect(try await signIn(app, by: .immediate).get().id == user.id)
        }
    }

    @Test func questionAtLaunchSignsInWithAPasskey() async throws {
        try await EmulatedBackend.run { backend in
            let app = ServerApp(backend, passkeys: device)
            let user = try await registered(app)
            try await app.auth.signOut()
            #expect(try await signIn(app, by: .immediate).get().id == user.id)
        }
    }

    @Test func suggestionSignsInAndTheFormIsUsableMeanwhile() async throws {
        try await EmulatedBackend.run { backend in
            let app = ServerApp(backend, passkeys: device)
            let user = try await registered(app)
            try await app.auth.signOut()
            var states = app.auth.states.makeAsyncIterator()
            _ = await states.next()
            let suggested = begin(app, by: .conditional)
            await device.chooseSuggestion()
            #expect(try await suggested.value.get().id == user.id)
            // From the person's choice on.
            #expect(await states.next() == .signingIn(.passkey, .establishingSession))
            #expect(await states.next()?.user?.id == user.id)
        }
    }

    @Test func anotherSignInTakesTheSuggestionsPlace() async throws {
        try await EmulatedBackend.run { backend in
            let app = ServerApp(backend, passkeys: device)
            _ = try await registered(app)
            try await app.auth.signOut()
            let suggested = begin(app, by: .conditional)
            _ = try await app.auth.signIn(credential: ServerApp.password).value
            #expect(await suggested.value.failure?.code == .superseded)
            #expect(app.auth.user != nil)
        }
    }

    @Test func suggestionsEndWithTheirTask() async throws {
        try await EmulatedBackend.run { backend in
            let app = ServerApp(backend, passkeys: device)
            for await state in app.auth.states where state == .signedOut(nil) { break }
            let suggested = begin(app, by: .conditional)
            suggested.cancel()
            #expect(await suggested.value.failure?.code == .cancelled)
            #expect(app.auth.state == .signedOut(nil))
        }
    }

    @Test func passkeyIsMadeAfterAPasswordWithoutAQuestion() async throws {
        try await EmulatedBackend.run { backend in
            let app = ServerApp(backend, passkeys: device)
            _ = try await app.signUp()
            // The person need not be there.
            device.person = .cancels
            #expect(await app.auth.offerPasskey())
            #expect(try await app.auth.passkeys().count == 1)
            #expect(await app.auth.offerPasskey() == false)
            device.person = .agrees
            try await app.auth.signOut()
            #expect(try await signIn(app).get().email == "minji@example.com")
        }
    }

    @Test func pickersListWhatAPersonTapsAlone() async throws {
        try await EmulatedBackend.run { backend in
            let app = ServerApp(backend, passkeys: device)
            #expect(app.auth.methods.filter { $0.provider == .passkey } == [SignInMethod(.passkey, using: .sheet)])
        }
    }

    // MARK: What goes wrong

    @Test(arguments: [EmulatedAuthenticator.Person.cancels, .isNotRecognized])
    func personWhoDoesNotAgreeChangesNothing(_ person: EmulatedAuthenticator.Person) async throws {
        try await EmulatedBackend.run { backend in
            let app = ServerApp(backend, passkeys: device)
            _ = try await app.signUp()
            device.person = person
            #expect(await app.auth.link(with: .passkey).result().failure?.code == .cancelled)
            device.person = .agrees
            _ = try await app.auth.link(with: .passkey).value
            try await app.auth.signOut()
            device.person = person
            #expect(await signIn(app).failure?.code == .cancelled)
            #expect(app.auth.state == .signedOut(nil))
        }
    }

    @Test func sheetEndsWithItsTimeLimit() async throws {
        try await EmulatedBackend.run { backend in
            let app = ServerApp(backend, passkeys: device)
            _ = try await registered(app)
            try await app.auth.signOut()
            device.person = .neverAnswers
            let attempt = begin(app)
            await device.sheetIsShown()
            await backend.clock.waitForSleepers(count: 1)
            backend.clock.advance(by: .seconds(600))
            #expect(await attempt.value.failure?.code == .timedOut)
        }
    }

    @Test func secondSheetIsRefusedWhileOneIsShown() async throws {
        try await EmulatedBackend.run { backend in
            let (app, other) = (ServerApp(backend, passkeys: device), ServerApp(backend, passkeys: device))
            _ = try await registered(app)
            try await app.auth.signOut()
            device.person = .neverAnswers
            let attempt = begin(app)
            await device.sheetIsShown()
            #expect(await signIn(other).failure?.code == .presentationUnavailable)
            attempt.cancel()
            #expect(await attempt.value.failure?.code == .cancelled)
            device.person = .agrees
            #expect(try await signIn(other).get().email == "minji@example.com")
        }
    }

    @Test func passkeyOfADisabledUserDoesNotSignIn() async throws {
        try await EmulatedBackend.run { backend in
            let app = ServerApp(backend, passkeys: device)
            let user = try await registered(app)
            try await app.auth.signOut()
            app.server.disable(user.id)
            #expect(await signIn(app).failure?.code == .userDisabled)
        }
    }

    @Test func serverWithoutPasskeysIsNotAsked() async throws {
        try await EmulatedBackend.run { backend in
            let app = ServerApp(backend, passkeys: device) { $0 = ServerContract() }
            #expect(await signIn(app).failure?.code == .unsupportedProvider)
            _ = try await app.google().value
            #expect(await app.auth.link(with: .passkey).result().failure?.code == .unsupportedProvider)
            let error = await #expect(throws: AuthError.self) { try await app.auth.passkeys() }
            #expect(error?.code == .unsupportedProvider)
            #expect(await app.auth.offerPasskey() == false)
        }
    }
}
