import AuthStreams

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
        return providers + firebase(for: configuration) + server
    }
}
