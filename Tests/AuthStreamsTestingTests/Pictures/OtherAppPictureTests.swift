import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// The picture of the switch to another app shows the order of an attempt on an emulated device, by each of its endings.
@MainActor
@Suite struct OtherAppPictureTests {
    /// What the person and the device do, by the names of the endings.
    private static let plays: [String: @MainActor @Sendable (EmulatedApps, StepOpener) -> Void] = [
        "It is not installed": { device, _ in device.installed = [] },
        "It does not open": { _, opener in opener.opensApps = false },
        "The person agrees": { _, _ in },
        "The person cancels": { device, _ in (device.kakaoTalk, device.naver) = (.cancel, .cancel) },
        "The person comes back without an answer": { device, _ in
            (device.kakaoTalk, device.naver) = (.comeBackWithoutAnswer, .comeBackWithoutAnswer)
        },
    ]

    @Test func endingsAreThoseThatArePlayed() throws {
        #expect(Set(try PictureTable("other-app").sequences.map(\.ending)) == Set(Self.plays.keys))
    }

    @Test(arguments: [ProviderID.kakao, .naver]) func stepsAreThoseOfAnAttempt(provider id: ProviderID) async throws {
        for (ending, rows) in try PictureTable("other-app").sequences {
            try await withEmulator { emulator in
                let (log, callbacks, network) = (RowLog(), CallbackRouter(), URLSessionTransport.untimed())
                let browser = ScriptedBrowser(transport: network, deliver: { callbacks.handle($0) })
                let apps = EmulatedApps(emulator: emulator.baseURL, transport: network, next: browser) { url in
                    log.note("other", "system", "opens the callback URL")
                    log.note("system", "app", "handle(_:)")
                    return callbacks.handle(url)
                }
                let opener = StepOpener(base: apps, log: log)
                let play = try #require(Self.plays[ending], "'\(ending)' is not played.")
                play(apps, opener)
                let providers = EmulatedProviders(
                    at: emulator.baseURL, opener: opener, callbacks: callbacks, transport: network,
                    clock: .withoutPauses)
                let provider = try #require(providers.all.first { $0.id == id })
                let result = await provider.authenticate(AuthRequest()).result
                // What follows a page is another picture.
                if !log.rows.contains(StepOpener.page) {
                    log.note("app", result.failure?.code.rawValue ?? "Credential")
                }
                #expect(log.rows == rows, "\(ending)")
            }
        }
    }
}

/// A system that writes down what it is asked, and when the person comes back to the app without a URL.
@MainActor
private final class StepOpener: ApplicationOpener {
    static let page = ["app", "system", "opens the page"]
    /// Whether the system opens the other app.
    var opensApps = true
    private let base: EmulatedApps
    private let log: RowLog

    init(base: EmulatedApps, log: RowLog) { (self.base, self.log) = (base, log) }

    var hidesURLs: Bool { base.hidesURLs }

    func canOpen(_ url: URL) -> Bool {
        log.note("app", "system", "canOpen(_:)")
        return base.canOpen(url)
    }

    func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? {
        let isOfApp = url.scheme != "http" && url.scheme != "https" || url.host() == "talk-apps.kakao.com"
        log.note("app", "system", isOfApp ? "open(_:universalLinksOnly:)" : Self.page[2])
        guard opensApps || !isOfApp, let visit = await base.open(url, universalLinksOnly: universalLinksOnly)
        else { return nil }
        guard isOfApp else { return visit }
        log.note("system", "other", "opens the app")
        return ApplicationVisit { [log] in
            await visit.waitForReturn()
            if !log.rows.contains(["system", "app", "handle(_:)"]) {
                log.note("system", "app", "the app is active again")
            }
        }
    }
}
