import AuthStreams
import AuthStreamsTesting
import AuthenticationServices
import Foundation
import TestSupport
import Testing

/// Native Sign in with Apple from the sheet to the server and back.
@MainActor
@Suite(.appleDevice) struct NativeAppleEndToEndTests {
    private static let name = "김민지"

    // MARK: Signing in

    @Test(arguments: ApplePhone.Backend.allCases)
    func signInMakesAUserWithTheFirstTimeName(backend: ApplePhone.Backend) async throws {
        try await withEmulator { emulator in
            let store = MemorySessionStore()
            let phone = ApplePhone(at: emulator, backend, store: store)
            let user = try await phone.signIn()
            #expect(user.providers.map(\.id) == [.apple])
            #expect(user.providers.first?.userID == emulator.configuration.apple.users[0].id)
            #expect(phone.storedName(of: user)?.contains(Self.name) == true)
            #expect(try await store.note(.profiles) == nil)

            // Apple sends no name from now on.
            #expect(try await phone.signIn().id == user.id)
            #expect(phone.storedName(of: user)?.contains(Self.name) == true)
        }
    }

    @Test(arguments: ApplePhone.Backend.allCases)
    func cancelOnTheSheetChangesNothing(backend: ApplePhone.Backend) async throws {
        try await withEmulator { emulator in
            let phone = ApplePhone(at: emulator, backend)
            for await state in phone.auth.states where state == .signedOut(nil) { break }
            phone.person.refusals = [.canceled]
            let error = await #expect(throws: AuthError.self) { try await phone.signIn() }
            #expect(error?.isUserCancellation == true && phone.auth.state == .signedOut(nil))
        }
    }

    @Test(arguments: ApplePhone.Backend.allCases)
    func secondTapClosesTheFirstSheetAndSignsIn(backend: ApplePhone.Backend) async throws {
        try await withEmulator { emulator in
            let phone = ApplePhone(at: emulator, backend)
            AppleDevice.AppleID.answer = nil
            let first = Task { await phone.auth.signIn(with: .apple, phone.request).result }
            let sheet = await AppleDevice.AppleID.nextAttempt()
            let second = Task { await phone.auth.signIn(with: .apple, phone.request).result }
            let other = await AppleDevice.AppleID.nextAttempt()
            #expect(await first.value.code == .superseded)
            try await wait(for: "the sheet to be cancelled") { AppleDevice.AppleID.cancelled == [sheet.controller] }
            try await phone.person.answer(other)
            #expect(try await second.value.get().user.id == phone.auth.user?.id && phone.userCount == 1)
        }
    }

    // MARK: Name and e-mail, which come once

    @Test(arguments: ApplePhone.Backend.allCases)
    func nameOutlivesAFailedRequestAndARestart(backend: ApplePhone.Backend) async throws {
        try await withEmulator { emulator in
            let store = MemorySessionStore()
            let phone = ApplePhone(at: emulator, backend, store: store)
            emulator.inject(.status(503), at: phone.signInEndpoint)
            let error = await #expect(throws: AuthError.self) { try await phone.signIn() }
            #expect(error?.code == .server && phone.userCount == 0)
            #expect(try await store.note(.profiles) != nil)

            phone.relaunch()
            let user = try await phone.signIn()
            #expect(phone.storedName(of: user)?.contains(Self.name) == true)
            #expect(try await store.note(.profiles) == nil)
        }
    }

    @Test(arguments: ApplePhone.Backend.allCases)
    func nameOfAnAnswerAfterTheCancelIsKept(backend: ApplePhone.Backend) async throws {
        try await withEmulator { emulator in
            let store = MemorySessionStore()
            let phone = ApplePhone(at: emulator, backend, store: store)
            (AppleDevice.AppleID.answer, AppleDevice.AppleID.cancelCallsDelegate) = (nil, false)
            let attempt = Task { try await phone.signIn() }
            let sheet = await AppleDevice.AppleID.nextAttempt()
            attempt.cancel()
            _ = await attempt.result
            // The system had the answer before it was told of the cancel.
            try await phone.person.answer(sheet)
            try await wait(for: "the name to be stored") { try await store.note(.profiles) != nil }

            phone.person.answerAll()
            let user = try await phone.signIn()
            #expect(phone.storedName(of: user)?.contains(Self.name) == true)
        }
    }

    @Test(arguments: ApplePhone.Backend.allCases)
    func nameOfAnotherPersonIsNotSent(backend: ApplePhone.Backend) async throws {
        try await withEmulator { emulator in
            let phone = ApplePhone(at: emulator, backend)
            emulator.inject(.status(503), at: phone.signInEndpoint)
            _ = await #expect(throws: AuthError.self) { try await phone.signIn() }
            phone.person.name = "Alex Morgan"
            let user = try await phone.signIn()
            #expect(phone.storedName(of: user)?.contains("Alex") == true)
        }
    }

    // MARK: Deleting the account

    @Test(arguments: ApplePhone.Backend.allCases)
    func deletionRevokesAppleTokensByAFreshCode(backend: ApplePhone.Backend) async throws {
        try await withEmulator { emulator in
            let apple = emulator.configuration.apple.users[0].id
            let transport = RevocationWatch(EmulatorTransport.untimed(to: emulator), of: apple)
            let phone = ApplePhone(at: emulator, backend, transport: transport)
            AppleDevice.AppleID.credentialStates = [apple: .authorized]
            _ = try await phone.signIn()
            try await phone.auth.deleteAccount(phone.request).value

            // Although the device reported the revocation before the account was deleted.
            #expect(phone.auth.state == .signedOut(.deleted) && phone.userCount == 0)
            #expect(transport.reported.withLock { $0 } == 1)
            #expect(!emulator.grantsAccess(at: .apple, to: apple))
            let revocations = emulator.journal.entries.filter { $0.path == "/auth/revoke" }
            #expect(revocations.map(\.status) == [200])
            // The person is new to the app again.
            #expect(try await phone.signIn().displayName?.contains(Self.name) == true)
        }
    }

    @Test(arguments: ApplePhone.Backend.allCases)
    func cancelledSheetDeletesAndRevokesNothing(backend: ApplePhone.Backend) async throws {
        try await withEmulator { emulator in
            let phone = ApplePhone(at: emulator, backend)
            let user = try await phone.signIn()
            phone.person.refusals = [.canceled]
            let error = await #expect(throws: AuthError.self) {
                try await phone.auth.deleteAccount(phone.request).value
            }
            #expect(error?.code == .cancelled && phone.auth.user?.id == user.id && phone.userCount == 1)
            #expect(!emulator.journal.entries.contains { $0.path.contains("revoke") })
            #expect(await phone.auth.pendingDeletion == nil)
        }
    }
}

/// A network on which the device learns of a revocation while the server's answer to it is under way.
private struct RevocationWatch: AuthHTTPTransport {
    let reported = Lock(0)
    private let base: EmulatorTransport
    private let user: String

    init(_ base: EmulatorTransport, of user: String) {
        (self.base, self.user) = (base, user)
    }

    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        let response = try await base.send(request)
        guard request.url.path().contains("revoke") else { return response }
        let asked = AppleDevice.AppleID.credentialStateAnswers.count
        await AppleDevice.AppleID.revoke(user)
        // A wait in vain is an issue of the test.
        try? await wait(for: "the app to ask for the state of the credential") {
            AppleDevice.AppleID.credentialStateAnswers.count > asked
        }
        reported.withLock { $0 += 1 }
        return response
    }
}
