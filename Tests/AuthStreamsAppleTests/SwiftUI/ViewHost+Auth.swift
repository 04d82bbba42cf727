import AuthStreams
import AuthStreamsApple
import AuthStreamsTesting
import Foundation
import SwiftUI

extension ViewHost {
    /// Shows a view that finds a service in its environment.
    convenience init(
        _ view: some View, auth: AuthService, locale: String = "en_US",
        _ change: (inout EnvironmentValues) -> Void = { _ in }
    ) {
        var environment = EnvironmentValues()
        environment.auth = auth
        environment.locale = Locale(identifier: locale)
        change(&environment)
        self.init(view, environment: environment)
    }

    /// Taps the only button with that VoiceOver label.
    func tap(_ label: String) {
        let buttons = root.labeled(label)
        precondition(buttons.count == 1, "\(buttons.count) buttons have the label \(label).")
        buttons[0].tap()
    }

    /// Waits until no button says that its attempt is in progress.
    func waitUntilIdle() async { await wait { $0.all("ProgressView").isEmpty } }
}

extension ViewNode {
    /// VoiceOver's values, in reading order.
    var accessibilityValues: [String] { values("accessibilityValue") }
}
