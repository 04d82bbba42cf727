/// The services an emulator plays, in one place.
enum EmulatorServices {
    static func all(for configuration: EmulatorConfiguration) -> [any EmulatorService] {
        let providers: [any EmulatorService] = [
            AppleAccount(),
            AppleRelay(),
            GoogleAccounts(),
            KakaoAccount(),
            KakaoAPI(),
            KakaoTalk(),
            NaverLogin(),
            NaverAPI(),
            AppServer(),
        ]
        return providers + firebase(for: configuration) + server
    }
}
