import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation

/// The contract of one of our providers, with the emulator as its other side.
func contract<Provider: AuthProvider>(
    of provider: any KeyPath<EmulatedProviders, Provider> & Sendable, at emulator: Emulator,
    crossing: Set<SignInMethod.Kind> = []
) -> AuthProviderContract {
    contract(at: emulator, crossing: crossing) { opener, callbacks, transport in
        EmulatedProviders(at: emulator.baseURL, opener: opener, callbacks: callbacks, transport: transport)[
            keyPath: provider]
    }
}

/// The contract of the provider for any issuer, with the emulated Google as the issuer.
func contractOfOpenID(at emulator: Emulator) -> AuthProviderContract {
    contract(at: emulator) { opener, callbacks, transport in
        let client = emulator.configuration.google.desktop
        return OpenIDProvider(
            .google,
            issuer: URL(literal: "https://accounts.google.com").relocated(onto: emulator.baseURL).absoluteString,
            clientID: client.id, authentication: client.secret.map { .basic(Secret($0)) } ?? .none,
            redirect: .loopback(path: "/callback"), userAgent: SystemBrowser(opener: opener, callbacks: callbacks),
            transport: transport)
    }
}

private func contract(
    at emulator: Emulator, crossing: Set<SignInMethod.Kind> = [],
    _ makeProvider:
        @escaping @MainActor @Sendable (
            any ApplicationOpener, CallbackRouter, any HTTPTransport
        ) -> any AuthProvider
) -> AuthProviderContract {
    let secrets: @Sendable () -> [Secret] = { emulator.issuedSecrets.map(\.value) }
    return AuthProviderContract(
        crossing: crossing, secrets: secrets,
        provider: { @MainActor person, witness in
            let (network, callbacks) = (URLSessionTransport(), CallbackRouter())
            let browser = ScriptedBrowser(person.onPage, transport: network) { callbacks.handle($0) }
            let apps = EmulatedApps(emulator: emulator.baseURL, transport: network, next: browser) {
                callbacks.handle($0)
            }
            (apps.kakaoTalk, apps.naver) = (person.inApp, person.inApp)
            let opener = witness.watching(apps) { url in url.host() == "127.0.0.1" ? .web : .app }
            return makeProvider(opener, callbacks, witness.watching(network))
        })
}
