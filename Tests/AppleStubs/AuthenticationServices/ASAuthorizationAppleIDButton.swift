public import Foundation

#if AUTH_APPKIT || AUTH_UIKIT
    #if AUTH_APPKIT
        public typealias _AppleIDButtonControl = NSControl
    #else
        public typealias _AppleIDButtonControl = UIControl
    #endif

    /// developer.apple.com/documentation/authenticationservices/asauthorizationappleidbutton
    @available(macOS 10.15, iOS 13.0, tvOS 13.0, *)
    @available(watchOS, unavailable)
    @MainActor open class ASAuthorizationAppleIDButton: _AppleIDButtonControl {
        /// developer.apple.com/documentation/authenticationservices/asauthorizationappleidbutton/buttontype
        public enum ButtonType: Int, Sendable {
            case signIn = 0
            case `continue` = 1
            @available(macOS 10.15.1, iOS 13.2, tvOS 13.1, *)
            case signUp = 2
            public static var `default`: ButtonType { .signIn }
        }

        /// developer.apple.com/documentation/authenticationservices/asauthorizationappleidbutton/style
        public enum Style: Int, Sendable {
            case white = 0
            case whiteOutline = 1
            case black = 2
        }

        public init(
            authorizationButtonType type: ASAuthorizationAppleIDButton.ButtonType,
            authorizationButtonStyle style: ASAuthorizationAppleIDButton.Style
        ) {
            (self.type, self.style) = (type, style)
            super.init()
        }
        public required init?(coder: NSCoder) { nil }

        /// What it was made with. Only of the stub.
        public let type: ButtonType
        public let style: Style
        private var radius: CGFloat = 6

        @available(tvOS, unavailable)
        open var cornerRadius: CGFloat {
            get { radius }
            set { radius = newValue }
        }
    }
#endif
