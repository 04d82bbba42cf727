import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import TestSupport

/// Sign-ins by a code, whose person answers at the page of each code as soon as it is shown. The clock moves on when they have.
struct AnsweredCodes: AuthProvider {
    let base: DeviceCodeProvider
    let person: AuthProviderContract.Person
    let witness: ContractRecorder
    let clock: ManualClock
    let network: any AuthHTTPTransport

    /// Runs a check with an emulator whose issuer gives codes.
    static func verify(_ promise: ContractCheck<AuthProviderContract>) async throws {
        let clock = ManualClock()
        var configuration = EmulatorConfiguration(at: clock)
        configuration.issuer.acceptsDeviceCodes = true
        _ = try await withEmulator(configuration) { emulator in
            let contract = AuthProviderContract(secrets: { emulator.issuedSecrets.map(\.value) }) { person, witness in
                let network = URLSessionTransport.untimed()
                let issuer = OpenIDProvider.Configuration(
                    "issuer", issuer: emulator.url(for: EmulatorConfiguration.Issuer.identifier).absoluteString,
                    clientID: emulator.configuration.issuer.clientID, redirect: .loopback(path: "/callback/openid"))
                let base = DeviceCodeProvider(
                    issuer, transport: witness.watching(network), clock: emulator.configuration.clock)
                return AnsweredCodes(base: base, person: person, witness: witness, clock: clock, network: network)
            }
            return try await contract.verify(promise)
        }
    }

    var id: ProviderID { base.id }
    var methodKinds: [SignInMethod.Kind] { base.methodKinds }

    func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        AuthStream {
            let answer = Lock<Task<Void, Never>?>(nil)
            defer { answer.withLock { $0?.cancel() } }
            var request = request
            request.prompter = .showing { code in answer.withLock { $0 = Task { await self.answer(code) } } }
            return try await base.authenticate(request).value
        }
    }

    private func answer(_ code: UserCode) async {
        await witness.contact(by: .deviceCode, to: "showing a code")
        guard person != .neverAnswers, let page = code.verificationURIComplete else { return }
        let browser = await ScriptedBrowser(person.onPage, transport: network)
        _ = await browser.open(page, universalLinksOnly: false)
        await browser.waitUntilSettled()
        while !Task.isCancelled {
            await clock.waitForSleepers(count: 1)
            clock.advanceToNextSleeper()
        }
    }
}
