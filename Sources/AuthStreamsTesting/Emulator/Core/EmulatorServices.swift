import AuthStreams

/// The services an emulator plays, in one place.
enum EmulatorServices {
    static func all(for configuration: EmulatorConfiguration) -> [any EmulatorService] {
        let links = Lock(KakaoLinks())
        let providers: [any EmulatorService] = [
            AppleAccount(),
            AppleRelay(),
            GoogleAccounts(),
            KakaoAccount(links: links),
            KakaoAPI(links: links),
            KakaoTalk(),
            NaverLogin(),
            NaverAPI(),
            AppServer(),
        ]
        return providers + firebase(for: configuration) + server
    }
}
