public import AuthStreams

/// The look of a provider's sign-in button, by the provider's brand rules.
///
/// <doc:Buttons> has each rule with its source. A provider that has no rules here gets ``neutral``, and an app gives its own:
///
/// ```swift
/// var style = SignInButtonStyle.neutral
/// style.light.background = SignInButtonStyle.Color(0x06C755)
/// ```
///
/// Lengths are in points.
public struct SignInButtonStyle: Equatable, Sendable {
    /// The colors of one appearance.
    public struct Colors: Equatable, Sendable {
        /// The color behind logo and title.
        public var background: Color
        /// The color of the title.
        public var title: Color
        /// The color of the border, which is one point wide inside the button; none if `nil`.
        public var border: Color?

        /// Makes the colors of one appearance.
        public init(background: Color, title: Color, border: Color? = nil) {
            self.background = background
            self.title = title
            self.border = border
        }
    }

    /// The space inside the button at its leading and trailing edges, and between logo and title.
    public struct Spacing: Equatable, Sendable {
        /// Before the logo.
        public var leading: Double
        /// Between logo and title.
        public var betweenLogoAndTitle: Double
        /// After the title.
        public var trailing: Double
    }

    /// The colors in the light appearance.
    public var light: Colors
    /// The colors in the dark appearance.
    public var dark: Colors
    /// The radius of the corners.
    public var cornerRadius: Double
    /// The minimum height at the standard text size. It grows with the person's text size, and the button is higher if its title
    /// needs it.
    public var minimumHeight: Double
    /// The minimum width.
    public var minimumWidth: Double
    /// The maximum width.
    public var maximumWidth: Double
    /// The minimum space around the button, as a part of its height. The pickers keep it between their buttons.
    public var clearSpace: Double
    /// The space inside the button.
    public var spacing: Spacing
    /// The width and height into which the logo is fitted without changing its proportions, at the standard text size.
    public var logoSize: Double
    /// The size of the title's font at the standard text size.
    public var titleSize: Double
    /// The PostScript name of the title's font, which the app installs; the system's font if `nil`, or if it is not installed.
    public var fontName: String?

    /// Makes a style.
    ///
    /// - Parameters:
    ///   - light: The colors in the light appearance.
    ///   - dark: The colors in the dark appearance; those of `light` unless given.
    ///   - cornerRadius: The radius of the corners.
    ///   - minimumHeight: The minimum height; that of a control for fingers unless given.
    ///   - minimumWidth: The minimum width.
    ///   - maximumWidth: The maximum width; that of Apple's button, so that none is wider than it, unless given.
    ///   - clearSpace: The minimum space around the button, as a part of its height.
    ///   - spacing: The space inside the button.
    ///   - logoSize: The width and height into which the logo is fitted.
    ///   - titleSize: The size of the title's font.
    ///   - fontName: The PostScript name of the title's font; the system's font unless given.
    init(
        light: Colors, dark: Colors? = nil, cornerRadius: Double = 12, minimumHeight: Double = 44,
        minimumWidth: Double = 140, maximumWidth: Double = 375, clearSpace: Double = 0.1,
        spacing: Spacing = Spacing(leading: 16, betweenLogoAndTitle: 8, trailing: 16), logoSize: Double = 18,
        titleSize: Double = 15, fontName: String? = nil
    ) {
        self.light = light
        self.dark = dark ?? light
        self.cornerRadius = cornerRadius
        self.minimumHeight = minimumHeight
        self.minimumWidth = minimumWidth
        self.maximumWidth = maximumWidth
        self.clearSpace = clearSpace
        self.spacing = spacing
        self.logoSize = logoSize
        self.titleSize = titleSize
        self.fontName = fontName
    }

    /// The colors of an appearance.
    public func colors(isDark: Bool) -> Colors { isDark ? dark : light }
}

extension SignInButtonStyle {
    /// The minimum height at a text size. Apple's button draws its title in proportion to its height, so all heights grow alike.
    ///
    /// - Parameter textScale: How much larger than the standard the person's text is.
    func minimumHeight(textScale: Double) -> Double { minimumHeight * max(textScale, 1) }

    /// The minimum space between the button and the badge below it.
    func clearSpace(textScale: Double) -> Double { clearSpace * minimumHeight(textScale: textScale) }

    /// The space between the buttons of a picker: the clear space of each, also where a title takes several lines.
    static func spacing(of styles: [Self], textScale: Double) -> Double {
        styles.reduce(12 * max(textScale, 1)) { max($0, 2 * $1.clearSpace(textScale: textScale)) }
    }
}

extension SignInButtonStyle {
    /// The style by the brand rules of a provider; ``neutral`` for a provider without rules here.
    public static func standard(for provider: ProviderID) -> Self {
        switch provider {
        case .apple: .apple
        case .google: .google
        case .kakao: .kakao
        case .naver: .naver
        default: .neutral
        }
    }

    /// Sign in with Apple. The views show Apple's own button, which has colors, logo and font of its own, in the size of a button
    /// with this style.
    public static let apple = Self(
        light: Colors(background: .black, title: .white), dark: Colors(background: .white, title: .black))

    /// Sign in with Google, in Google's light and dark themes.
    public static let google = Self(
        light: Colors(background: .white, title: Color(0x1F1F1F), border: Color(0x747775)),
        dark: Colors(background: Color(0x131314), title: Color(0xE3E3E3), border: Color(0x8E918F)),
        spacing: Spacing(leading: 16, betweenLogoAndTitle: 12, trailing: 16), logoSize: 20,
        titleSize: 14, fontName: "GoogleSans-Medium")

    /// Kakao Login, whose colors are the same in both appearances.
    public static let kakao = Self(light: Colors(background: Color(0xFEE500), title: Color(0x000000, opacity: 0.85)))

    /// Naver Login, whose colors are the same in both appearances.
    public static let naver = Self(light: Colors(background: Color(0x03A94D), title: .white))

    /// A button without a brand.
    public static let neutral = Self(
        light: Colors(background: .white, title: .black, border: Color(0x747775)),
        dark: Colors(background: Color(0x131314), title: .white, border: Color(0x8E918F)))
}

extension SignInButtonStyle {
    /// The symbol of a passkey, which takes the place of a logo.
    static let passkeySymbol = "person.badge.key"
}

extension SignInButtonStyle {
    /// A color in the sRGB color space.
    public struct Color: Equatable, Sendable {
        /// Red, green and blue, of eight bits each: `0xRRGGBB`.
        let hex: UInt32
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
