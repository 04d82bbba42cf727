import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import UIKit

@testable import AuthStreamsApple

/// A page, and an attempt to have it shown.
@MainActor
struct WebStage {
    static let address = URL(literal: "https://issuer.example/authorize")
    static let customRedirect = URL(literal: "com.example.app:/callback")
    static let httpsRedirect = URL(literal: "https://app.example/callback")

    let time = ManualClock()

    func page(
        _ redirect: AuthorizationPage.Redirect = .redirect(Self.customRedirect),
        in presentation: PresentationContext = .automatic, at address: URL = Self.address
    ) -> AuthorizationPage {
        AuthorizationPage(
            redirect: redirect, presentation: presentation, makeURL: { _ in address }, accepts: { _, _ in true })
    }

    func begin(
        _ page: AuthorizationPage? = nil, _ browserSession: WebAuthenticationAgent.BrowserSession = .shared,
        hasCallbacks: Bool = true
    ) -> Task<AuthorizationAnswer, any Error> {
        let page = page ?? self.page()
        let clock = time.authClock(startingAt: .distantPast)
        return Task {
            try await WebAuthenticationAgent(browserSession, .seconds(600), clock, hasCallbacks: hasCallbacks)
                .authorize(page)
        }
    }
}

extension Task where Failure == any Error {
    /// The error that the task ends with.
    var authError: AuthError? {
        get async {
            switch await result {
            case .success: nil
            case .failure(let error): error as? AuthError
            }
        }
    }
}
