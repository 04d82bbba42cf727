public import Foundation

// Not confirmed: everything but NSApplication's `shared`, `keyWindow`, activate(), NSView.window, NSWorkspace and its
// open functions (of the one with a handler, its sendability), application(_:open:), and what .ci/apple-facts compares: names of
// constants, numbers, and properties and results that are Boolean.

/// developer.apple.com/documentation/appkit/nsresponder
@available(macOS 10.0, *)
@MainActor open class NSResponder: NSObject {
    public override init() { super.init() }
}

/// developer.apple.com/documentation/appkit/nswindow
@available(macOS 10.0, *)
@MainActor open class NSWindow: NSResponder {
    open var isVisible: Bool { fatalError() }
    open var isKeyWindow: Bool { fatalError() }
}

/// developer.apple.com/documentation/appkit/nsview
@available(macOS 10.0, *)
@MainActor open class NSView: NSResponder {
    open var window: NSWindow? { fatalError() }
}

/// developer.apple.com/documentation/appkit/nscontrol
@available(macOS 10.0, *)
@MainActor open class NSControl: NSView {}

/// developer.apple.com/documentation/appkit/nsviewcontroller
@available(macOS 10.5, *)
@MainActor open class NSViewController: NSResponder {
    open var view: NSView { fatalError() }
}

/// developer.apple.com/documentation/appkit/nsapplication
@available(macOS 10.0, *)
@MainActor open class NSApplication: NSResponder {
    open class var shared: NSApplication { fatalError() }
    open weak var keyWindow: NSWindow? { fatalError() }
    open weak var mainWindow: NSWindow? { fatalError() }
    open var windows: [NSWindow] { fatalError() }
    open var isActive: Bool { fatalError() }

    /// developer.apple.com/documentation/appkit/nsapplication/occlusionstate-swift.struct
    @available(macOS 10.9, *)
    public struct OcclusionState: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let visible = Self(rawValue: 1 << 1)
    }
    /// developer.apple.com/documentation/appkit/nsapplication/occlusionstate-swift.property
    @available(macOS 10.9, *)
    open var occlusionState: OcclusionState { fatalError() }
    /// developer.apple.com/documentation/appkit/nsapplication/activate()
    @available(macOS 14.0, *)
    open func activate() { fatalError() }

    // developer.apple.com/documentation/appkit/nsapplication: the notifications of its topics
    nonisolated public class var didBecomeActiveNotification: NSNotification.Name { fatalError() }
    nonisolated public class var didResignActiveNotification: NSNotification.Name { fatalError() }
    @available(macOS 10.9, *)
    nonisolated public class var didChangeOcclusionStateNotification: NSNotification.Name { fatalError() }
    nonisolated public class var willTerminateNotification: NSNotification.Name { fatalError() }
}

/// developer.apple.com/documentation/appkit/nsrunningapplication
@available(macOS 10.6, *)
open class NSRunningApplication: NSObject {}

/// developer.apple.com/documentation/appkit/nsworkspace
@available(macOS 10.0, *)
open class NSWorkspace: NSObject {
    open class var shared: NSWorkspace { fatalError() }

    /// developer.apple.com/documentation/appkit/nsworkspace/openconfiguration
    @available(macOS 10.15, *)
    open class OpenConfiguration: NSObject {
        public override init() { fatalError() }
        open var activates: Bool {
            get { fatalError() }
            set { fatalError() }
        }
        /// developer.apple.com/documentation/appkit/nsworkspace/openconfiguration/requiresuniversallinks
        open var requiresUniversalLinks: Bool {
            get { fatalError() }
            set { fatalError() }
        }
    }

    /// developer.apple.com/documentation/appkit/nsworkspace/open(_:)
    @discardableResult open func open(_ url: URL) -> Bool { fatalError() }

    /// developer.apple.com/documentation/appkit/nsworkspace/open(_:configuration:completionhandler:)
    @available(macOS 10.15, *)
    open func open(
        _ url: URL, configuration: NSWorkspace.OpenConfiguration,
        completionHandler: (@Sendable (NSRunningApplication?, (any Error)?) -> Void)? = nil
    ) { fatalError() }

    /// developer.apple.com/documentation/appkit/nsworkspace/open(_:configuration:completionhandler:)
    @available(macOS 10.15, *)
    open func open(
        _ url: URL, configuration: NSWorkspace.OpenConfiguration
    ) async throws -> NSRunningApplication { fatalError() }

    /// developer.apple.com/documentation/appkit/nsworkspace/urlforapplication(toopen:)-7qkzf
    @available(macOS 10.6, *)
    open func urlForApplication(toOpen url: URL) -> URL? { fatalError() }
}

/// developer.apple.com/documentation/appkit/nsapplicationdelegate
///
/// Apple's requirements are optional; here, each has an implementation that does nothing.
@available(macOS 10.0, *)
@MainActor public protocol NSApplicationDelegate: NSObjectProtocol {
    /// developer.apple.com/documentation/appkit/nsapplicationdelegate/application(_:open:)
    @available(macOS 10.13, *)
    func application(_ application: NSApplication, open urls: [URL])
}

@available(macOS 10.0, *)
extension NSApplicationDelegate {
    public func application(_ application: NSApplication, open urls: [URL]) {}
}

/// developer.apple.com/documentation/appkit/nstextcontenttype
@available(macOS 11.0, *)
public struct NSTextContentType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let username = Self(rawValue: "NSTextContentTypeUsername")
    public static let password = Self(rawValue: "NSTextContentTypePassword")
    public static let oneTimeCode = Self(rawValue: "NSTextContentTypeOneTimeCode")
    @available(macOS 14.0, *)
    public static let newPassword = Self(rawValue: "NSTextContentTypeNewPassword")
    @available(macOS 14.0, *)
    public static let emailAddress = Self(rawValue: "NSTextContentTypeEmailAddress")
    @available(macOS 14.0, *)
    public static let telephoneNumber = Self(rawValue: "NSTextContentTypeTelephoneNumber")
}

/// developer.apple.com/documentation/appkit/nspasteboard
@available(macOS 10.0, *)
open class NSPasteboard: NSObject {
    /// …/pasteboardtype
    public struct PasteboardType: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        @available(macOS 10.6, *)
        public static let string = Self(rawValue: "public.utf8-plain-text")
    }

    /// …/contentsoptions
    @available(macOS 10.12, *)
    public struct ContentsOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let currentHostOnly = ContentsOptions(rawValue: 1)
    }

    open class var general: NSPasteboard { fatalError() }
    @available(macOS 10.12, *)
    @discardableResult open func prepareForNewContents(with options: NSPasteboard.ContentsOptions = []) -> Int {
        fatalError()
    }
    @discardableResult open func setString(_ string: String, forType dataType: NSPasteboard.PasteboardType) -> Bool {
        fatalError()
    }
}
