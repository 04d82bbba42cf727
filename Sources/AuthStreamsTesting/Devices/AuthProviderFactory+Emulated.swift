public import AuthStreams
import AuthStreamsOAuth
public import Foundation

extension AuthProviderFactory {
    /// Apple by its page, Google, Kakao and Naver, configured for an emulator's apps, in the order in which an app would show
    /// them.
    ///
    /// Google's client is the one for where the platform's pages return their answers.
    ///
    /// - Parameters:
    ///   - base: The emulator's URL.
    ///   - apps: The emulator's apps.
    public static func emulated(at base: URL, apps: EmulatorConfiguration = EmulatorConfiguration()) -> [Self] {
        [
            .apple(
                servicesID: apps.apple.servicesID,
                relay: URL(literal: "https://apple-relay.example/callback").relocated(onto: base),
                callback: URL(string: apps.apple.relayCallback) ?? base, endpoints: .emulator(at: base)),
            Self { platform in
                let client = platform.redirect == .loopback ? apps.google.desktop : apps.google.iOS
                return Self.google(
                    clientID: client.id, clientSecret: client.secret.map { Secret($0) }, endpoints: .emulator(at: base)
                ).provider(for: platform)
            },
            .kakao(
                .init(
                    nativeAppKey: apps.kakao.nativeAppKey, bundleID: apps.kakao.bundleIDs.first,
                    endpoints: .emulator(at: base))),
            .naver(
                .init(
                    clientID: apps.naver.clientID, urlScheme: apps.naver.urlScheme, appName: apps.appName,
                    endpoints: .emulator(at: base))),
        ]
    }
}
