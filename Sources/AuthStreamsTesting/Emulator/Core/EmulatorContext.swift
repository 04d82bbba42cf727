import AuthStreams
package import Foundation
package import LoopbackHTTP

/// What a service has at hand while it answers one request.
package struct EmulatorContext: Sendable {
    /// Apps, users and the rest, as configured.
    package let configuration: EmulatorConfiguration
    /// Where everything is served, such as `http://127.0.0.1:49152`, without a slash at the end.
    package let base: String
    /// The codes and tokens that were issued.
    package let grants: GrantStore
    /// Makes and checks signed tokens.
    package let signer: TokenSigner

    let secrets: SecretStore
    let dispatch: @Sendable (EmulatorRequest) async -> LoopbackResponse

    /// The date now, by the configured clock.
    package var now: Date { configuration.clock.date }

    /// Where a production URL is served: `https://HOST/PATH` becomes `BASE/HOST/PATH`; anything else stays as it is.
    package func served(_ productionURL: String) -> String {
        let scheme = "https://"
        guard productionURL.hasPrefix(scheme) else { return productionURL }
        return base + "/" + productionURL.dropFirst(scheme.count)
    }

    /// Calls another emulated service as a server does.
    ///
    /// The request stands in the journal, and faults apply to it, as if it had come over the wire.
    package func call(_ request: EmulatorRequest) async -> LoopbackResponse { await dispatch(request) }

    /// Notes a secret for ``Emulator/issuedSecrets`` that its name in a parameter or a JSON member does not give away.
    package func note(_ name: String, _ value: String, host: String) { secrets.note(name, value, host: host) }
}
