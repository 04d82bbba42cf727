import AuthStreams
import AuthStreamsTesting

/// One scenario, and its expected outcome.
struct Scenario {
    enum Story: String {
        case approved
        case denied
        case cancelled
        case doubleTap
        /// A password, and then the code of an authenticator app.
        case password
        /// A person who is new to the app's own server, which wants a nickname and a consent.
        case signUp
        /// A passkey of the device, at the app's own server.
        case passkey
    }

    let story: Story
    let provider: ProviderID

    static let providers: [ProviderID] = [.apple, .google, .kakao, .naver]
    static var names: [String] { providers.map(\.shortName) }

    static func provider(named name: String) -> ProviderID? {
        providers.first { $0.shortName == name.lowercased() || $0.rawValue == name.lowercased() }
    }

    /// Each provider once, then the other outcomes, each with another provider if there are several, and then one more step.
    static func all(for providers: [ProviderID], at backend: EmulatedDevice.Backend) -> [Scenario] {
        let others = providers.count == 1 ? providers + providers + providers : [.google, .kakao, .naver]
        let atServer = [Scenario(story: .signUp, provider: .kakao), Scenario(story: .passkey, provider: .passkey)]
        let password = backend == .firebase ? [Scenario(story: .password, provider: .password)] : []
        return providers.map { Scenario(story: .approved, provider: $0) }
            + zip([Story.denied, .cancelled, .doubleTap], others).map { Scenario(story: $0, provider: $1) }
            + (providers.count == 1 ? [] : password + atServer)
    }

    /// The server of the scenario.
    ///
    /// - Parameter backend: The one of the command line.
    func backend(_ backend: EmulatedDevice.Backend) -> EmulatedDevice.Backend {
        story == .signUp || story == .passkey ? .server : backend
    }

    /// Whether the person is asked for one more step.
    var hasPrompt: Bool { story == .password || story == .signUp }

    /// The emulator of a scenario that needs one of its own; `nil` for the others.
    var configuration: EmulatorConfiguration? {
        guard story == .signUp else { return nil }
        var configuration = EmulatorConfiguration()
        configuration.server.signUpFields = [
            .init(id: "nickname", label: "Nickname"), .init(id: "terms", kind: .consent, label: "Terms of use"),
        ]
        return configuration
    }

    var taps: Int { story == .doubleTap ? 2 : 1 }

    /// Sets the person's answers on the scripted device.
    @MainActor
    func direct(_ device: EmulatedDevice) {
        switch story {
        case .approved, .doubleTap, .password, .signUp, .passkey: break
        case .denied:
            device.browser.answers = [.deny]
            device.apps.kakaoTalk = .deny
            device.apps.naver = .deny
        case .cancelled:
            device.browser.answers = [.close]
            device.apps.kakaoTalk = .cancel
            device.apps.naver = .cancel
        }
    }

    /// The server that the person meets first.
    var firstHost: String {
        switch provider {
        case .apple: "appleid.apple.com"
        case .google: "accounts.google.com"
        case .kakao: "talk-apps.kakao.com"
        default: "nid.naver.com"
        }
    }

    /// The expected error code; `nil` for a success.
    var expectedError: AuthError.Code? {
        switch story {
        case .approved, .doubleTap, .password, .signUp, .passkey: nil
        // Apple's page and the Naver app do not distinguish refusing from cancelling.
        case .denied: provider == .apple || provider == .naver ? .cancelled : .accessDenied
        case .cancelled: .cancelled
        }
    }
}

extension ProviderID {
    /// What a person types: `apple` for `apple.com`.
    var shortName: String { rawValue.replacing(".com", with: "") }

    var title: String { shortName.prefix(1).uppercased() + shortName.dropFirst() }
}
