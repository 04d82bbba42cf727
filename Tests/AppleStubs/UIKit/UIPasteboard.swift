public import Foundation

// Not confirmed: everything.

/// developer.apple.com/documentation/uikit/uipasteboard
@available(iOS 3.0, *)
@available(macOS, unavailable)
@available(tvOS, unavailable)
@available(watchOS, unavailable)
open class UIPasteboard: NSObject {
    /// …/optionskey
    @available(iOS 10.0, *)
    public struct OptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let expirationDate = Self(rawValue: "UIPasteboardOptionExpirationDate")
        public static let localOnly = Self(rawValue: "UIPasteboardOptionLocalOnly")
    }

    /// …/general
    nonisolated(unsafe) public static let general: UIPasteboard = {
        AppleDevice.onReset { general.forget() }
        return UIPasteboard()
    }()

    /// What was copied last, and how. Only of the stub.
    public private(set) var items: [[String: Any]] = []
    public private(set) var options: [UIPasteboard.OptionsKey: Any] = [:]

    /// …/setitems(_:options:)
    @available(iOS 10.0, *)
    open func setItems(_ items: [[String: Any]], options: [UIPasteboard.OptionsKey: Any] = [:]) {
        (self.items, self.options) = (items, options)
    }

    private func forget() { (items, options) = ([], [:]) }
}
