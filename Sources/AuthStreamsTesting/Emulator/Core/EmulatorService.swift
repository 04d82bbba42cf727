import AuthStreams
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
}

/// The list of emulated services.
enum EmulatorServices {
    static func all(for configuration: EmulatorConfiguration) -> [any EmulatorService] {
        let links = Lock(KakaoLinks())
        let providers: [any EmulatorService] = [
            AppleAccount(),
            AppleRelay(),
            AppleSheetService(),
            GoogleAccounts(),
            KakaoAccount(links: links),
            KakaoAPI(links: links),
            KakaoTalk(),
            NaverLogin(),
            NaverAPI(),
            OpenIDIssuer(),
            AppServer(),
        ]
        return providers + firebase(for: configuration) + server + supabase
    }
}
