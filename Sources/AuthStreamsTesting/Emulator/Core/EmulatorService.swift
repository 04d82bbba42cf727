import AuthStreams
package import Foundation
package import LoopbackHTTP

/// An emulated service: the endpoints of a few hosts.
///
/// A service keeps its rules in its own file and its state in ``EmulatorContext/grants`` or under its own lock. It
/// answers in the dialect of the production service, also to invalid requests.
///
/// ## What an implementation promises
///
/// - It never traps, for any request.
/// - It suspends only to call another service; the time is ``EmulatorContext/now``.
/// - It honours ``EmulatorRequest/requestedError`` and passes ``EmulatorRequest/tokenFault`` to the signer.
package protocol EmulatorService: Sendable {
    /// The production hosts that it emulates, such as `kauth.kakao.com`.
    var hosts: [String] { get }

    /// Answers a request to one of the hosts.
    ///
    /// - Returns: `nil` if the service has no such endpoint; the emulator then answers 404.
    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse?

    /// The users who have signed in, with the number of their sessions; none unless it has users.
    func sessions(at now: Date) -> [SessionCount]
}

extension EmulatorService {
    package func sessions(at now: Date) -> [SessionCount] { [] }
}

/// How many sessions a user has at a service.
package struct SessionCount: Sendable {
    let service: String
    let user: String
    let count: Int

    init(_ service: String, _ user: String, _ count: Int) {
        (self.service, self.user, self.count) = (service, user, count)
    }
}

/// The list of emulated services.
enum EmulatorServices {
    static func all(for configuration: EmulatorConfiguration) -> [any EmulatorService] {
        let providers: [any EmulatorService] = [
            AppleAccount(),
            AppleRelay(),
            AppleSheetService(),
            GoogleAccounts(),
            KakaoAccount(),
            KakaoAPI(),
            KakaoTalk(),
            NaverLogin(),
            NaverAPI(),
            OpenIDIssuer(),
            AppServer(),
        ]
        return providers + firebase(for: configuration) + server + supabase
    }
}

/// The data of a service for one request.
package struct EmulatorContext: Sendable {
    /// The emulator's URL under the name that the app used, such as `http://127.0.0.1:49152`, without a trailing slash.
    package let base: String
    let router: EmulatorRouter
    let world: EmulatorWorld

    /// Apps, users and the rest, as configured.
    package var configuration: EmulatorConfiguration { world.configuration }
    /// The codes and tokens that were issued.
    package var grants: GrantStore { world.grants }
    /// Makes and checks signed tokens.
    package var signer: TokenSigner { router.signer }

    /// The current date, by the configured clock.
    package var now: Date { configuration.clock.date }

    /// Returns the emulator's URL for a production URL: `https://HOST/PATH` becomes `BASE/HOST/PATH`; any other text
    /// stays unchanged.
    package func served(_ productionURL: String) -> String { productionURL.served(below: base) }

    /// Returns the name of a provider's issuer in tokens, redirects and discovery.
    func issuer(_ production: String) -> String {
        configuration.issuerNames == .production ? production : served(production)
    }

    /// Whether a token names that issuer, under whichever name of the emulator it was issued.
    func isIssuer(_ name: String, _ production: String) -> Bool {
        configuration.issuerNames == .production ? name == production : serves(production, at: name)
    }

    /// Whether the emulator serves a production URL at that URL, under the name that the app used or another one.
    func serves(_ productionURL: String, at url: String) -> Bool {
        world.authorities.serve(productionURL, at: url)
    }

    /// Calls another emulated service as a server does.
    ///
    /// The journal records the request, and faults apply to it, as if it had come over the network.
    package func call(_ request: EmulatorRequest) async -> LoopbackResponse {
        await router.dispatch(request, below: base, in: world)
    }

    /// Records a secret for ``Emulator/issuedSecrets`` that is not recognized by its name in a parameter or a JSON
    /// member.
    package func note(_ name: String, _ value: String, host: String) {
        RequestNotes.add { $0.secrets.append((name, value, host)) }
    }
}

extension String {
    /// The URL of the emulator with that base for this production URL; any other text stays unchanged.
    func served(below base: String) -> String {
        let scheme = "https://"
        return hasPrefix(scheme) ? base + "/" + dropFirst(scheme.count) : self
    }
}
