import AuthStreams
import Foundation
import UIKit

@MainActor
private final class AppDelegate {
    let auth: AuthService

    init(_ auth: AuthService) { self.auth = auth }

    // IOSInTenMinutes: delegate
    func application(
        _ application: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool {
        auth.handle(url)
    }
    // IOSInTenMinutes end
}
