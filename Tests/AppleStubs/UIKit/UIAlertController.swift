public import Foundation

// Compared: both initializers. Not confirmed: the others.

/// developer.apple.com/documentation/uikit/uialertcontroller
@available(iOS 8.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
@MainActor open class UIAlertController: UIViewController {
    /// developer.apple.com/documentation/uikit/uialertcontroller/style
    public enum Style: Int, Sendable {
        case actionSheet = 0
        case alert = 1
    }

    open var message: String?
    open private(set) var preferredStyle = Style.actionSheet
    open private(set) var actions: [UIAlertAction] = []

    /// developer.apple.com/documentation/uikit/uialertcontroller/init(title:message:preferredstyle:)
    public convenience init(title: String?, message: String?, preferredStyle: UIAlertController.Style) {
        self.init(nibName: nil, bundle: nil)
        (self.title, self.message, self.preferredStyle) = (title, message, preferredStyle)
    }

    /// developer.apple.com/documentation/uikit/uialertcontroller/addaction(_:)
    open func addAction(_ action: UIAlertAction) { actions.append(action) }

    /// The person taps the button with that title, which closes the alert. Only of the stub.
    public func tap(_ title: String) {
        guard let action = actions.first(where: { $0.title == title }) else { fatalError("No button says \(title).") }
        end()
        action.handler?(action)
    }
}

/// developer.apple.com/documentation/uikit/uialertaction
@available(iOS 8.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
@MainActor open class UIAlertAction: NSObject {
    /// developer.apple.com/documentation/uikit/uialertaction/style-swift.enum
    public enum Style: Int, Sendable {
        case `default` = 0
        case cancel = 1
        case destructive = 2
    }

    open private(set) var title: String?
    open private(set) var style = Style.default
    private(set) var handler: ((UIAlertAction) -> Void)?

    /// developer.apple.com/documentation/uikit/uialertaction/init(title:style:handler:)
    public convenience init(
        title: String?, style: UIAlertAction.Style, handler: ((UIAlertAction) -> Void)? = nil
    ) {
        self.init()
        (self.title, self.style, self.handler) = (title, style, handler)
    }
}
