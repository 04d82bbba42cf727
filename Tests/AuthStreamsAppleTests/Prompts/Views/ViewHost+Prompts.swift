import AuthStreams
import AuthStreamsApple
import Foundation
import SwiftUI

extension ViewHost {
    /// Waits for a sheet with that title.
    func waitForSheet(_ title: String) async { await wait { $0.all("sheet").last?.texts.first == title } }

    /// Waits until there is no sheet.
    func waitUntilClosed() async { await wait { $0.all("sheet").isEmpty } }
}

extension ViewNode {
    /// Enters a text into the field with that label.
    @MainActor func type(_ text: String, into label: String) {
        let found = enabled.flatMap(\.inputs).filter { $0.title == label }
        precondition(found.count == 1, "\(found.count) fields have the label \(label).")
        found[0].text = text
    }

    /// Presses Return in the field with that label, which has the focus.
    @MainActor func pressReturn(in label: String) {
        let submit: (() -> Void)? = value(of: "onSubmit", around: label)
        submit?()
    }

    /// Taps the button, the link or the switch that says so.
    @MainActor func press(_ title: String) {
        let found = controls(title)
        precondition(found.count == 1, "\(found.count) controls say \(title): \(texts)")
        found[0].tap()
    }

    /// Whether a control that says so takes taps.
    func isEnabled(_ title: String) -> Bool { !controls(title).isEmpty }

    private func controls(_ title: String) -> [ViewNode] {
        enabled.filter { ["Button", "Toggle"].contains($0.kind) && $0.texts.contains(title) }
    }

    /// The nodes that are not disabled, without those inside.
    private var enabled: [ViewNode] {
        if kind == "disabled", value as? Bool == true { return [] }
        if ["Button", "Toggle", "TextField", "SecureField"].contains(kind) { return [self] }
        return children.flatMap(\.enabled)
    }

    /// The nodes around what satisfies a condition, from the outside to the inside.
    func path(to condition: (ViewNode) -> Bool) -> [ViewNode]? {
        if condition(self) { return [self] }
        return children.compactMap { $0.path(to: condition) }.first.map { [self] + $0 }
    }

    /// What a modifier around the field with that label was given.
    func value<Value>(of modifier: String, around label: String) -> Value? {
        path { ($0.value as? TextInput)?.title == label }?.last { $0.kind == modifier }?.value as? Value
    }
}
