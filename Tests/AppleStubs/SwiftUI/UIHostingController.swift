#if AUTH_UIKIT
    public import Foundation
    public import UIKit

    // Not confirmed: everything.

    /// developer.apple.com/documentation/swiftui/uihostingcontroller
    @available(iOS 13.0, tvOS 13.0, *)
    @available(macOS, unavailable)
    @available(watchOS, unavailable)
    open class UIHostingController<Content: View>: UIViewController {
        public var rootView: Content { didSet { host?.show(rootView) } }
        /// What is drawn while it is presented. Only of the stub.
        public private(set) var host: ViewHost?

        public init(rootView: Content) {
            self.rootView = rootView
            super.init(nibName: nil, bundle: nil)
        }

        public required init?(coder: NSCoder) { nil }

        open override func viewDidAppear(_ animated: Bool) {
            super.viewDidAppear(animated)
            host = ViewHost(rootView)
        }

        open override func viewDidDisappear(_ animated: Bool) {
            super.viewDidDisappear(animated)
            // Its tasks end.
            host?.show(EmptyView())
            host = nil
        }
    }
#endif
