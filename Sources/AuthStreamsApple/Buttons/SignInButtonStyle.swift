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

        /// Makes the spaces.
        public init(leading: Double, betweenLogoAndTitle: Double, trailing: Double) {
            self.leading = leading
            self.betweenLogoAndTitle = betweenLogoAndTitle
            self.trailing = trailing
        }
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
    public init(
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
