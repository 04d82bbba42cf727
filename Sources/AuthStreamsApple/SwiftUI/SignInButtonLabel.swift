#if AUTH_SWIFTUI
    import Foundation
    import SwiftUI

    /// Logo and title of a button, with the colors and sizes of its style. It grows with the person's text size.
    struct SignInButtonLabel<Logo: View>: View {
        @Environment(\.colorScheme) private var colorScheme
        let model: SignInButtonModel
        let style: SignInButtonStyle
        let textScale: Double
        let logo: Logo

        private var colors: SignInButtonStyle.Colors { style.colors(isDark: colorScheme == .dark) }

        private var font: Font {
            let size = style.titleSize * textScale
            return style.fontName.map { .custom($0, fixedSize: size) } ?? .system(size: size, weight: .medium)
        }

        private var logoSize: Double { style.logoSize * textScale }

        private var shape: RoundedRectangle { RoundedRectangle(cornerRadius: style.cornerRadius) }

        var body: some View {
            HStack(spacing: style.spacing.betweenLogoAndTitle) {
                if model.isInProgress {
                    ProgressView().frame(width: logoSize, height: logoSize)
                } else if Logo.self != EmptyView.self {
                    logo.aspectRatio(contentMode: .fit).frame(width: logoSize, height: logoSize)
                }
                Text(verbatim: model.title).font(font).lineLimit(nil).multilineTextAlignment(.center)
            }
            .padding(.leading, style.spacing.leading)
            .padding(.trailing, style.spacing.trailing)
            .padding(.vertical, 8)
            .frame(
                minWidth: style.minimumWidth, maxWidth: style.maximumWidth,
                minHeight: style.minimumHeight(textScale: textScale)
            )
            .foregroundStyle(Color(colors.title))
            .background(Color(colors.background), in: shape)
            .overlay { if let border = colors.border { shape.strokeBorder(Color(border), lineWidth: 1) } }
            .opacity(model.isInProgress ? 0.6 : 1)
            .contentShape(shape)
        }
    }

    extension Color {
        init(_ color: SignInButtonStyle.Color) {
            self.init(.sRGB, red: color.red, green: color.green, blue: color.blue, opacity: color.opacity)
        }
    }
#endif
