extension SignInButtonStyle {
    /// A color in the sRGB color space.
    public struct Color: Equatable, Sendable {
        /// Red, green and blue, of eight bits each: `0xRRGGBB`.
        public let hex: UInt32
        /// From 0, invisible, to 1.
        public let opacity: Double

        /// Makes a color.
        ///
        /// - Parameters:
        ///   - hex: Red, green and blue, of eight bits each: `0xRRGGBB`. Higher bits are ignored.
        ///   - opacity: From 0 to 1.
        public init(_ hex: UInt32, opacity: Double = 1) {
            self.hex = hex & 0xFF_FFFF
            self.opacity = min(max(opacity, 0), 1)
        }

        /// White.
        public static let white = Self(0xFFFFFF)
        /// Black.
        public static let black = Self(0x000000)

        /// From 0 to 1.
        public var red: Double { component(16) }
        /// From 0 to 1.
        public var green: Double { component(8) }
        /// From 0 to 1.
        public var blue: Double { component(0) }

        private func component(_ shift: UInt32) -> Double { Double(hex >> shift & 0xFF) / 255 }
    }
}

extension SignInButtonStyle.Color: CustomStringConvertible {
    /// The color as brand guides write it, such as `#FEE500` or `#000000 85 %`.
    public var description: String {
        let digits = String(hex, radix: 16, uppercase: true)
        let padded = "#" + String(repeating: "0", count: 6 - digits.count) + digits
        return opacity < 1 ? "\(padded) \(Int((opacity * 100).rounded())) %" : padded
    }
}
