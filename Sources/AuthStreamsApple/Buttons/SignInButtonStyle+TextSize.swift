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
