public import Foundation

// Not confirmed: everything.

/// developer.apple.com/documentation/uikit/uipresentationcontroller
@available(iOS 8.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
@MainActor open class UIPresentationController: NSObject {
    open weak var delegate: (any UIAdaptivePresentationControllerDelegate)?
    open private(set) unowned var presentedViewController: UIViewController

    init(of presented: UIViewController) { presentedViewController = presented }
}

/// developer.apple.com/documentation/uikit/uiadaptivepresentationcontrollerdelegate
@available(iOS 8.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
@MainActor public protocol UIAdaptivePresentationControllerDelegate: NSObjectProtocol {
    /// …/presentationcontrollerdiddismiss(_:). Called after the person has swiped, and not after `dismiss`.
    @available(iOS 13.0, tvOS 13.0, *)
    func presentationControllerDidDismiss(_ presentationController: UIPresentationController)
}

@available(macOS, unavailable)
@available(watchOS, unavailable)
extension UIAdaptivePresentationControllerDelegate {
    public func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {}
}

@available(macOS, unavailable)
@available(watchOS, unavailable)
extension UIViewController {
    /// The person swipes the sheet down, which closes it and what it presents. Only of the stub.
    public func swipeDown() {
        guard let presentation = presentationController, onDismiss != nil else { fatalError("It is not presented.") }
        end()
        presentation.delegate?.presentationControllerDidDismiss(presentation)
    }
}
