import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import AuthenticationServices
import Foundation
import TestSupport
import Testing
import UIKit

@testable import AuthStreamsApple

/// An app on the simulated phone, with this library's own parts for iOS, and the emulator as providers and server.
@MainActor
final class PhoneApp: NSObject, UIWindowSceneDelegate {
    let auth: AuthService

    /// - Parameter opensPagesInBrowser: Whether pages open in the browser, and not in a sheet.
    init(
        at base: URL, store: any SessionStore = MemorySessionStore(), information: AppInformation = .complete,
        opensPagesInBrowser: Bool = false
    ) {
        let apps = EmulatorConfiguration()
        let (callbacks, transport) = (CallbackRouter(), URLSessionTransport.untimed())
        let opener = SystemApplicationOpener(information)
        let browser: any UserAgent =
            opensPagesInBrowser ? SystemBrowser(opener: opener, callbacks: callbacks) : WebAuthenticationAgent()
        let google = GoogleProvider(
            clientID: apps.google.iOS.id, redirect: .reversedClientID, userAgent: browser, transport: transport,
            endpoints: .emulator(at: base))
        let kakao = KakaoProvider(
            .init(
                nativeAppKey: apps.kakao.nativeAppKey, bundleID: apps.kakao.bundleIDs.first,
                endpoints: .emulator(at: base)),
            callbacks: callbacks, opener: opener, userAgent: browser, transport: transport)
        let naver = NaverProvider(
            .init(
                clientID: apps.naver.clientID, urlScheme: apps.naver.urlScheme, appName: apps.appName,
                endpoints: .emulator(at: base)),
            callbacks: callbacks, opener: opener, userAgent: browser)
        auth = AuthService(
            repository: ServerRepository.emulated(at: base), providers: [google, kakao, naver], store: store,
            callbacks: callbacks)
        super.init()
    }

    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        for context in auth.handle(contexts) { Issue.record("no answer: \(context.url.scheme ?? "")") }
    }

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        let own = auth.handle(connectionOptions)
        for context in own.urlContexts { Issue.record("no answer: \(context.url.scheme ?? "")") }
    }
}

extension AppInformation {
    /// What the app lists for the emulator's Kakao and Naver.
    static var complete: AppInformation {
        let apps = EmulatorConfiguration()
        return AppInformation(
            schemes: [
                "kakao\(apps.kakao.nativeAppKey)", apps.naver.urlScheme,
                apps.google.iOS.id.split(separator: ".").reversed().joined(separator: "."),
            ],
            queries: ["kakaokompassauth", "naversearchthirdlogin"])
    }
}

/// The person who holds the phone.
@MainActor
struct PhonePerson {
    let base: URL

    /// Installs both apps.
    static func installApps() {
        AppleDevice.App.installedSchemes = ["kakaokompassauth", "naversearchthirdlogin"]
        AppleDevice.App.queriedSchemes = AppleDevice.App.installedSchemes
        AppleDevice.App.universalLinkHosts = ["talk-apps.kakao.com"]
    }

    /// Agrees at the page of the next sheet.
    ///
    /// - Returns: The sheet.
    @discardableResult
    func agreeInTheSheet() async throws -> AppleDevice.WebAuthentication.Sheet {
        let sheet = await AppleDevice.WebAuthentication.nextSheet()
        sheet.redirect(to: try await answer(to: sheet.url))
        return sheet
    }

    /// Does something in the next app that opens, which brings this app to the front again by its answer, if it has one.
    ///
    /// - Returns: The URL by which the other app was opened.
    @discardableResult
    func act(_ action: EmulatedApps.UserAction, in scene: UIScene) async throws -> URL {
        let (url, answer) = try await visit(action, in: scene)
        // The URL comes while the scene is on its way to the front.
        AppleDevice.App.move(scene, to: .foregroundInactive)
        if let answer { AppleDevice.App.deliver(answer, to: scene, sourceApplication: "another.app") }
        AppleDevice.App.move(scene, to: .foregroundActive)
        return url
    }

    /// Agrees in the next app that opens.
    ///
    /// - Returns: The URL by which that app answers.
    func agree(inTheAppOpenedFrom scene: UIScene) async throws -> URL {
        try #require(try await visit(.approve, in: scene).answer)
    }

    /// Does something in the next app that opens, while this one is in the background.
    private func visit(
        _ action: EmulatedApps.UserAction, in scene: UIScene
    ) async throws -> (opened: URL, answer: URL?) {
        let url = await AppleDevice.App.nextOpened()
        AppleDevice.App.move(scene, to: .background)
        let answer = Promise<URL>()
        let apps = EmulatedApps(emulator: base, transport: URLSessionTransport.untimed()) { answer.resolve($0) }
        (apps.kakaoTalk, apps.naver) = (action, action)
        let visit = try #require(
            await apps.open(url, universalLinksOnly: url.scheme == "https"), "\(apps.refusals)")
        await visit.waitForReturn()
        return (url, answer.current)
    }
}
