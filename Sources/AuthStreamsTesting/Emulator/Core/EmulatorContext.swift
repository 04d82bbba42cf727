import AuthStreams
package import Foundation
package import LoopbackHTTP

/// The data of a service for one request.
package struct EmulatorContext: Sendable {
    /// Apps, users and the rest, as configured.
    package let configuration: EmulatorConfiguration
    /// The emulator's URL, such as `http://127.0.0.1:49152`, without a trailing slash.
    package let base: String
    /// The codes and tokens that were issued.
    package let grants: GrantStore
    /// Makes and checks signed tokens.
    package let signer: TokenSigner

    /// The production hosts that are emulated.
    let hosts: Set<String>
    let secrets: SecretStore
    let dispatch: @Sendable (EmulatorRequest) async -> LoopbackResponse

    /// The current date, by the configured clock.
    package var now: Date { configuration.clock.date }

    /// Returns the emulator's URL for a production URL: `https://HOST/PATH` becomes `BASE/HOST/PATH`; any other text
    /// stays unchanged.
    package func served(_ productionURL: String) -> String {
        let scheme = "https://"
        guard productionURL.hasPrefix(scheme) else { return productionURL }
        return base + "/" + productionURL.dropFirst(scheme.count)
    }

    /// Calls another emulated service as a server does.
    ///
    /// The journal records the request, and faults apply to it, as if it had come over the network.
    package func call(_ request: EmulatorRequest) async -> LoopbackResponse { await dispatch(request) }

    /// Records a secret for ``Emulator/issuedSecrets`` that is not recognized by its name in a parameter or a JSON
    /// member.
    package func note(_ name: String, _ value: String, host: String) { secrets.note(name, value, host: host) }
}
