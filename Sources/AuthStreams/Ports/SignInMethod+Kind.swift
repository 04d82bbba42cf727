extension SignInMethod {
    /// How a provider asks the person: the system's sheet, the provider's app or its page.
    ///
    /// Any string is a valid name, so a provider can have kinds of its own.
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral {
        /// The name.
        public let rawValue: String

        /// Makes a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Makes a name from a literal.
        public init(stringLiteral value: String) {
            rawValue = value
        }

        /// The system's own sheet, such as Apple's.
        public static let sheet: Self = "sheet"
        /// The provider's app: KakaoTalk, Naver.
        public static let app: Self = "app"
        /// The provider's page in the system's browser.
        public static let web: Self = "web"
        /// The kind of a provider that has only one.
        public static let standard: Self = "standard"
    }
}

extension SignInMethod.Kind: CustomStringConvertible {
    /// The raw name.
    public var description: String { rawValue }
}
