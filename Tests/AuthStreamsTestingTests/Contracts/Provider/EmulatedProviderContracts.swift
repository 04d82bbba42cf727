import AuthStreams
import AuthStreamsTesting
import Foundation

/// The contract of one of our providers, with the emulator as its other side.
func contract<Provider: AuthProvider>(
    of provider: any KeyPath<EmulatedProviders, Provider> & Sendable, at emulator: Emulator,
    crossing: Set<SignInMethod.Kind> = []
) -> AuthProviderContract {
    let secrets: @Sendable () -> [Secret] = { emulator.issuedSecrets.map(\.value) }
    return AuthProviderContract(
        crossing: crossing, secrets: secrets,
        provider: { @MainActor person, witness in
            let (network, callbacks) = (URLSessionTransport.untimed(), CallbackRouter())
            let browser = ScriptedBrowser(person.onPage, transport: network) { callbacks.handle($0) }
            let apps = EmulatedApps(emulator: emulator.baseURL, transport: network, next: browser) {
                callbacks.handle($0)
            }
            (apps.kakaoTalk, apps.naver) = (person.inApp, person.inApp)
            let opener = witness.watching(apps) { url in url.host() == "127.0.0.1" ? .web : .app }
            let providers = EmulatedProviders(
                at: emulator.baseURL, opener: opener, callbacks: callbacks, transport: witness.watching(network))
            return providers[keyPath: provider]
        })
}
