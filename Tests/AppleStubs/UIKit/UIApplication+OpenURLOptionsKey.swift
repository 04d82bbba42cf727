@available(iOS 9.0, tvOS 9.0, visionOS 1.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
extension UIApplication {
    /// developer.apple.com/documentation/uikit/uiapplication/openurloptionskey
    ///
    /// Deprecated by the SDK of iOS 26, from a later version of iOS on.
    public struct OpenURLOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}
