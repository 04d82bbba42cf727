import Foundation

/// developer.apple.com/documentation/uikit/uiaccessibility
@available(macOS, unavailable)
@available(watchOS, unavailable)
public struct UIAccessibility {
    /// developer.apple.com/documentation/uikit/uiaccessibility/isguidedaccessenabled. Not confirmed: availability.
    @available(iOS 6.0, tvOS 9.0, *)
    @MainActor public static var isGuidedAccessEnabled: Bool { AppleDevice.App.isGuidedAccessEnabled }
}
