import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// Google's code for the server, from the app's sign-in to the server that redeems it.
@Suite(.limitedParallelization) struct ServerAuthCodeTests {
    @MainActor @Test func itIsRedeemedByTheServerAndOnce() async throws {
        try await withEmulator { emulator in
            let google = emulator.configuration.google
            let (callbacks, transport) = (CallbackRouter(), URLSessionTransport.untimed())
            let browser = ScriptedBrowser(transport: transport) { callbacks.handle($0) }
            let provider = GoogleProvider(
                clientID: google.desktop.id, clientSecret: google.desktop.secret.map { Secret($0) },
                serverClientID: google.web.id, userAgent: SystemBrowser(opener: browser, callbacks: callbacks),
                transport: transport, endpoints: .emulator(at: emulator.baseURL))
            let credential = try await provider.authenticate().value
            #expect(credential.serverAuthCode != nil)

            let repository = ServerRepository.emulated(at: emulator.baseURL)
            let session = try await repository.signIn(with: credential)
            #expect(session.user.providers.map(\.id) == [.google])
            let asked = emulator.journal.entries.filter { $0.caller == .service }
            #expect(asked.map { "\($0.host)\($0.path) \($0.status ?? 0)" } == ["oauth2.googleapis.com/token 200"])

            let error = await AuthStream { () async throws(AuthError) in
                try await repository.signIn(with: credential)
            }.result.failure
            #expect(error?.code == .invalidCredential)
        }
    }
}
