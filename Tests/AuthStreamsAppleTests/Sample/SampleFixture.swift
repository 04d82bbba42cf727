import AuthStreams
import AuthStreamsApple
import AuthStreamsTesting
import Foundation
import SwiftUI
import TestSupport
import Testing
import UIKit

@testable import PulseBoardKit

extension Board {
    /// The sample app as it begins with `--emulator`, whose session is in memory.
    static func emulated(at emulator: Emulator) throws -> Board {
        try make(
            arguments: ["PulseBoard", "--emulator", emulator.baseURL.absoluteString],
            emulated: .app(store: MemorySessionStore(), opener: NoOtherApps())
        ).get()
    }
}

/// The sample app with SwiftUI.
@MainActor
struct SampleScreen {
    let host: ViewHost

    init(_ board: Result<Board, SetUpProblem>) {
        host = ViewHost(RootView(board: board))
    }

    init(_ board: Board) { self.init(.success(board)) }

    var texts: [String] { host.root.texts }

    func wait(for text: String) async { await host.wait { $0.texts.contains(text) } }

    /// Taps the only button with that title.
    func tap(_ title: String) {
        let buttons = host.root.all("Button").filter { $0.texts.contains(title) }
        precondition(buttons.count == 1, "\(buttons.count) buttons say \(title): \(texts)")
        buttons[0].tap()
    }
}

/// The sample app with UIKit.
@MainActor
final class SampleScene {
    let delegate: PulseBoardKit.SceneDelegate
    let scene: UIWindowScene

    /// - Parameter urls: The URLs that launched the app.
    init(_ board: Result<Board, SetUpProblem>, urls: [URL] = []) {
        delegate = PulseBoardKit.SceneDelegate(board)
        scene = AppleDevice.App.connect(hasWindow: false, delegate: delegate, urls: urls)
    }

    convenience init(_ board: Board, urls: [URL] = []) { self.init(.success(board), urls: urls) }

    var screen: UIViewController? { scene.keyWindow?.rootViewController }

    /// The texts of what is shown, from the top.
    var texts: [String] { screen?.view.shownTexts ?? [] }

    /// Waits for what the scene shows.
    func wait(
        for fact: String, sourceLocation: SourceLocation = #_sourceLocation, until condition: (SampleScene) -> Bool
    ) async throws {
        try await TestSupport.wait(for: fact, sourceLocation: sourceLocation) { condition(self) }
    }

    func wait(for text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await wait(for: "the text '\(text)'", sourceLocation: sourceLocation) { $0.texts.contains(text) }
    }

    /// Taps the only button with that title.
    func tap(_ title: String) {
        let buttons = screen?.view.controls.filter { ($0 as? UIButton)?.configuration?.title == title } ?? []
        precondition(buttons.count == 1, "\(buttons.count) buttons say \(title): \(texts)")
        buttons[0].sendActions(for: .primaryActionTriggered)
    }

    func signInButton(_ provider: ProviderID) -> SignInButtonView? {
        screen?.view.buttons.first { $0.provider == provider }
    }
}

extension UIView {
    fileprivate var shownTexts: [String] {
        guard !isHidden else { return [] }
        let own = [(self as? UILabel)?.text, (self as? UIButton)?.configuration?.title]
        return own.compactMap { $0 }.filter { !$0.isEmpty } + subviews.flatMap(\.shownTexts)
    }
}
