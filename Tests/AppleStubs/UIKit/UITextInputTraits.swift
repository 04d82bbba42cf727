// Compared: oneTimeCode. Not confirmed: the others.

/// developer.apple.com/documentation/uikit/uitextcontenttype
@available(iOS 10.0, tvOS 10.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
public struct UITextContentType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let emailAddress = Self(rawValue: "email")
    public static let telephoneNumber = Self(rawValue: "tel")
    @available(iOS 11.0, tvOS 11.0, *)
    public static let username = Self(rawValue: "username")
    @available(iOS 11.0, tvOS 11.0, *)
    public static let password = Self(rawValue: "current-password")
    @available(iOS 12.0, tvOS 12.0, *)
    public static let newPassword = Self(rawValue: "new-password")
    @available(iOS 12.0, tvOS 12.0, *)
    public static let oneTimeCode = Self(rawValue: "one-time-code")
}

/// developer.apple.com/documentation/uikit/uikeyboardtype. The others are left out.
@available(iOS 2.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
public enum UIKeyboardType: Int, Sendable {
    case `default` = 0
    case asciiCapable = 1
    case numberPad = 4
    case phonePad = 5
    case emailAddress = 7
}
