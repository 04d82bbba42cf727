import AuthStreamsApple
import Foundation

/// The contrast ratio of WCAG 2.2, from 1 to 21, of a color that may be translucent on an opaque one.
func contrast(_ color: SignInButtonStyle.Color, on background: SignInButtonStyle.Color) -> Double {
    func mixed(_ part: KeyPath<SignInButtonStyle.Color, Double>) -> Double {
        color.opacity * color[keyPath: part] + (1 - color.opacity) * background[keyPath: part]
    }
    let luminances = [
        luminance(mixed(\.red), mixed(\.green), mixed(\.blue)),
        luminance(background.red, background.green, background.blue),
    ].sorted()
    return (luminances[1] + 0.05) / (luminances[0] + 0.05)
}

/// The relative luminance of WCAG 2.2 of a color in sRGB.
private func luminance(_ red: Double, _ green: Double, _ blue: Double) -> Double {
    func linear(_ part: Double) -> Double { part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4) }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}
