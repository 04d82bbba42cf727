public import Foundation

/// developer.apple.com/documentation/authenticationservices/asauthorizationcontrollerdelegate
///
/// Apple's requirements are optional; here, each has an implementation that does nothing.
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
@MainActor public protocol ASAuthorizationControllerDelegate: NSObjectProtocol {
    /// …/authorizationcontroller(controller:didcompletewithauthorization:)
    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization)
    /// …/authorizationcontroller(controller:didcompletewitherror:)
    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error)
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
extension ASAuthorizationControllerDelegate {
    public func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {}
    public func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {}
}

#if AUTH_APPKIT || AUTH_UIKIT
    /// developer.apple.com/documentation/authenticationservices/asauthorizationcontrollerpresentationcontextproviding
    @available(macOS 10.15, iOS 13.0, tvOS 13.0, *)
    @available(watchOS, unavailable)
    @MainActor public protocol ASAuthorizationControllerPresentationContextProviding: NSObjectProtocol {
        func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor
    }
#endif

/// developer.apple.com/documentation/authenticationservices/asauthorizationcontroller
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
open class ASAuthorizationController: NSObject {
    /// developer.apple.com/documentation/authenticationservices/asauthorizationcontroller/requestoptions
    @available(macOS 13.0, iOS 16.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    public struct RequestOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let preferImmediatelyAvailableCredentials = RequestOptions(rawValue: 1 << 0)
    }

    open private(set) var authorizationRequests: [ASAuthorizationRequest]
    open weak var delegate: (any ASAuthorizationControllerDelegate)?
    #if AUTH_APPKIT || AUTH_UIKIT
        @available(watchOS, unavailable)
        open weak var presentationContextProvider: (any ASAuthorizationControllerPresentationContextProviding)?
    #endif

    public init(authorizationRequests: [ASAuthorizationRequest]) {
        self.authorizationRequests = authorizationRequests
    }

    /// …/performrequests()
    open func performRequests() { AppleDevice.begin(self, .modal) }

    /// …/performrequests(options:)
    @available(macOS 13.0, iOS 16.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    open func performRequests(options: ASAuthorizationController.RequestOptions = []) {
        AppleDevice.begin(self, options.contains(.preferImmediatelyAvailableCredentials) ? .immediate : .modal)
    }

    /// …/performautofillassistedrequests()
    @available(iOS 16.0, *)
    @available(macCatalyst, unavailable)
    @available(macOS, unavailable)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    open func performAutoFillAssistedRequests() { AppleDevice.begin(self, .autoFill) }

    /// …/cancel()
    @available(macOS 13.0, iOS 16.0, tvOS 18.0, *)
    @available(watchOS, unavailable)
    open func cancel() { AppleDevice.cancel(self) }
}

extension AppleDevice {
    /// How a controller was told to begin.
    enum Beginning { case modal, immediate, autoFill }

    static func begin(_ controller: ASAuthorizationController, _ beginning: Beginning) {
        #if AUTH_APPKIT || AUTH_UIKIT
            if Passkeys.concerns(controller) { return Passkeys.begin(controller, beginning) }
        #endif
        AppleID.begin(controller)
    }

    static func cancel(_ controller: ASAuthorizationController) {
        #if AUTH_APPKIT || AUTH_UIKIT
            if Passkeys.concerns(controller) { return Passkeys.cancel(controller) }
        #endif
        AppleID.cancel(controller)
    }
}
