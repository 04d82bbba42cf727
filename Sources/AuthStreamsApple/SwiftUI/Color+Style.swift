#if AUTH_SWIFTUI
    import SwiftUI

    extension Color {
        init(_ color: SignInButtonStyle.Color) {
            self.init(.sRGB, red: color.red, green: color.green, blue: color.blue, opacity: color.opacity)
        }
    }
#endif
