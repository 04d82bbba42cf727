import AuthStreams
import AuthStreamsApple
import AuthStreamsOAuth
import AuthStreamsTesting
import AuthenticationServices
import Foundation
import TestSupport
import Testing
import UIKit

/// Providers keep their promises when their pages are shown in web authentication sessions.
@MainActor
@Suite(.appleDevice) struct SheetContractTests {
    @Test(arguments: AuthProviderContract.checks)
    func google(keepsThePromise promise: ContractCheck<AuthProviderContract>) async throws {
        _ = try await withEmulator { emulator in
            try await contract(at: emulator) { base, browser, _, transport in
                GoogleProvider(
                    clientID: EmulatorConfiguration().google.iOS.id, redirect: .reversedClientID, userAgent: browser,
                    transport: transport, endpoints: .emulator(at: base))
            }.verify(promise)
        }
    }

    @Test(arguments: AuthProviderContract.checks)
    func naver(keepsThePromise promise: ContractCheck<AuthProviderContract>) async throws {
        _ = try await withEmulator { emulator in
            try await contract(at: emulator) { base, browser, callbacks, _ in
                let naver = EmulatorConfiguration().naver
                return NaverProvider(
                    .init(
                        clientID: naver.clientID, urlScheme: naver.urlScheme, appName: "PulseBoard", mode: .browserOnly,
                        endpoints: .emulator(at: base)),
                    callbacks: callbacks, opener: SystemApplicationOpener(), userAgent: browser)
            }.verify(promise)
        }
    }

    private typealias MakeProvider =
        @MainActor @Sendable (URL, any UserAgent, CallbackRouter, any AuthHTTPTransport) -> any AuthProvider

    private func contract(at emulator: Emulator, _ make: @escaping MakeProvider) -> AuthProviderContract {
        let people = People()
        let secrets: @Sendable () -> [Secret] = { emulator.issuedSecrets.map(\.value) }
        return AuthProviderContract(secrets: secrets) { @MainActor person, witness in
            let window = people.window(of: person)
            let browser = AgentInWindow(window: window, witness: witness)
            return make(emulator.baseURL, browser, CallbackRouter(), witness.watching(URLSessionTransport.untimed()))
        }
    }
}

/// The persons of a contract's providers. Each has a window of their own, by which their sheets are told apart.
@MainActor
private final class People {
    private var persons: [ObjectIdentifier: AuthProviderContract.Person] = [:]
    private var windows: [UIWindow] = []

    init() {
        AppleDevice.WebAuthentication.answer = { sheet in
            guard let person = sheet.anchor.flatMap({ self.persons[ObjectIdentifier($0)] }) else {
                return sheet.finish(nil, UnexpectedSheet())
            }
            Task { await person.answer(sheet) }
        }
    }

    func window(of person: AuthProviderContract.Person) -> PresentationContext {
        let window = UIWindow(windowScene: AppleDevice.App.connect())
        windows.append(window)
        persons[ObjectIdentifier(window)] = person
        return .in(window)
    }
}

extension AuthProviderContract.Person {
    @MainActor
    fileprivate func answer(_ sheet: AppleDevice.WebAuthentication.Sheet) async {
        switch self {
        case .neverAnswers: return
        case .turnsBack: sheet.close()
        case .approves, .refuses:
            // The sheet ends with the error, so that the check that waits for the attempt fails.
            do { sheet.redirect(to: try await TestSupport.answer(to: sheet.url, onPage)) } catch {
                sheet.finish(nil, error)
            }
        }
    }
}

/// An agent whose sheets are presented in one window.
@MainActor
private struct AgentInWindow: UserAgent {
    let window: PresentationContext
    let witness: ContractRecorder

    func authorize(_ page: AuthorizationPage) async throws(AuthError) -> AuthorizationAnswer {
        await witness.contact(by: .web, to: "the sheet")
        var page = page
        page.presentation = window
        return try await WebAuthenticationAgent().authorize(page)
    }
}
