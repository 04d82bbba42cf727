#if AUTH_UIKIT
    import AuthStreams
    import Foundation
    import UIKit

    extension UIButton.Configuration {
        /// Logo and title with the colors and sizes of a style. The button grows with the person's text size.
        ///
        /// - Parameter logo: The vendor's logo. A passkey has the system's symbol instead.
        @MainActor static func signIn(
            _ model: SignInButtonModel, _ style: SignInButtonStyle, logo: UIImage?, in traits: UITraitCollection
        ) -> Self {
            let colors = style.colors(isDark: traits.userInterfaceStyle == .dark)
            let base =
                style.fontName.flatMap { UIFont(name: $0, size: style.titleSize) }
                ?? .systemFont(ofSize: style.titleSize, weight: .medium)
            let font = UIFontMetrics(forTextStyle: .body).scaledFont(for: base, compatibleWith: traits)
            var configuration = UIButton.Configuration.plain()
            configuration.title = model.title
            configuration.titleAlignment = .center
            configuration.titleLineBreakMode = .byWordWrapping
            configuration.titleTextAttributesTransformer = UIConfigurationTextAttributesTransformer { attributes in
                var attributes = attributes
                attributes.font = font
                return attributes
            }
            let image = model.provider == .passkey ? .passkeySymbol(in: UIColor(colors.title)) : logo
            configuration.image = image?.fitted(into: style.logoSize * traits.textScale)
            configuration.imagePadding = style.spacing.betweenLogoAndTitle
            configuration.showsActivityIndicator = model.isInProgress
            configuration.contentInsets = NSDirectionalEdgeInsets(
                top: 8, leading: style.spacing.leading, bottom: 8, trailing: style.spacing.trailing)
            configuration.baseForegroundColor = UIColor(colors.title)
            configuration.cornerStyle = .fixed
            configuration.background.cornerRadius = style.cornerRadius
            configuration.background.backgroundColor = UIColor(colors.background)
            configuration.background.strokeColor = colors.border.map { UIColor($0) }
            configuration.background.strokeWidth = colors.border == nil ? 0 : 1
            return configuration
        }
    }

    extension UITraitCollection {
        /// How much larger than the standard the person's text is.
        @MainActor var textScale: CGFloat {
            // Of a large value, because the result is rounded to points.
            UIFontMetrics(forTextStyle: .body).scaledValue(for: 1000, compatibleWith: self) / 1000
        }
    }

    extension UIColor {
        convenience init(_ color: SignInButtonStyle.Color) {
            self.init(red: color.red, green: color.green, blue: color.blue, alpha: color.opacity)
        }
    }

    extension UIImage {
        fileprivate static func passkeySymbol(in color: UIColor) -> UIImage? {
            UIImage(systemName: SignInButtonStyle.passkeySymbol)?.withTintColor(color)
        }

        /// The image in a square, with its proportions and its colors.
        fileprivate func fitted(into side: CGFloat) -> UIImage {
            let scale = side / max(size.width, size.height, 1)
            let fitted = CGSize(width: size.width * scale, height: size.height * scale)
            let origin = CGPoint(x: (side - fitted.width) / 2, y: (side - fitted.height) / 2)
            return UIGraphicsImageRenderer(size: CGSize(width: side, height: side)).image { _ in
                draw(in: CGRect(origin: origin, size: fitted))
            }.withRenderingMode(.alwaysOriginal)
        }
    }
#endif
