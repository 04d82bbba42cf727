public import Foundation

#if (AUTH_APPKIT || AUTH_UIKIT) && !os(tvOS)
    /// developer.apple.com/documentation/authenticationservices/aswebauthenticationpresentationcontextproviding
    @available(macOS 10.15, iOS 13.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    @MainActor public protocol ASWebAuthenticationPresentationContextProviding: NSObjectProtocol {
        func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
    }
#endif

/// developer.apple.com/documentation/authenticationservices/aswebauthenticationsession
@available(macOS 10.15, iOS 12.0, tvOS 16.0, watchOS 6.2, *)
open class ASWebAuthenticationSession: NSObject {
    /// developer.apple.com/documentation/authenticationservices/aswebauthenticationsession/completionhandler
    public typealias CompletionHandler = (URL?, (any Error)?) -> Void

    /// developer.apple.com/documentation/authenticationservices/aswebauthenticationsession/callback
    @available(macOS 14.4, iOS 17.4, tvOS 17.4, watchOS 10.4, visionOS 1.1, *)
    public final class Callback: NSObject, Sendable {
        let scheme: String
        let host: String?
        let path: String?

        init(_ scheme: String, _ host: String? = nil, _ path: String? = nil) {
            (self.scheme, self.host, self.path) = (scheme, host, path)
        }

        public static func customScheme(_ customScheme: String) -> Callback { Callback(customScheme) }
        public static func https(host: String, path: String) -> Callback { Callback("https", host, path) }

        public func matchesURL(_ url: URL) -> Bool {
            guard url.scheme?.lowercased() == scheme.lowercased() else { return false }
            return host == nil || host == url.host && path == url.path
        }
    }

    let url: URL
    let completionHandler: CompletionHandler
    let matches: (URL) -> Bool
    /// The host of an https callback.
    let associatedHost: String?
    var hasBegun = false
    var isCancelled = false

    /// …/init(url:callbackurlscheme:completionhandler:)-7fpox
    @available(macOS, introduced: 10.15, deprecated: 27.0)
    @available(iOS, introduced: 12.0, deprecated: 27.0)
    @available(tvOS, introduced: 16.0, deprecated: 27.0)
    @available(watchOS, introduced: 6.2, deprecated: 27.0)
    public init(
        url URL: URL, callbackURLScheme: String?,
        completionHandler: @escaping ASWebAuthenticationSession.CompletionHandler
    ) {
        (self.url, self.completionHandler, self.associatedHost) = (URL, completionHandler, nil)
        matches = { $0.scheme?.lowercased() == callbackURLScheme?.lowercased() }
    }

    /// …/init(url:callback:completionhandler:)-6nut7
    @available(macOS 14.4, iOS 17.4, tvOS 17.4, watchOS 10.4, visionOS 1.1, *)
    public init(
        url URL: URL, callback: ASWebAuthenticationSession.Callback,
        completionHandler: @escaping ASWebAuthenticationSession.CompletionHandler
    ) {
        (self.url, self.completionHandler, self.associatedHost) = (URL, completionHandler, callback.host)
        matches = { callback.matchesURL($0) }
    }

    #if (AUTH_APPKIT || AUTH_UIKIT) && !os(tvOS)
        @available(macOS 10.15, iOS 13.0, *)
        @available(tvOS, unavailable)
        @available(watchOS, unavailable)
        open weak var presentationContextProvider: (any ASWebAuthenticationPresentationContextProviding)?
    #endif

    @available(macOS 10.15, iOS 13.0, tvOS 16.0, watchOS 6.2, *)
    open var prefersEphemeralWebBrowserSession = false

    @available(macOS 14.4, iOS 17.4, tvOS 17.4, watchOS 10.4, visionOS 1.1, *)
    open var additionalHeaderFields: [String: String]? {
        get { headerFields }
        set { headerFields = newValue }
    }
    private var headerFields: [String: String]?

    @available(macOS 10.15.4, iOS 13.4, tvOS 16.0, watchOS 6.2, *)
    open var canStart: Bool { !hasBegun && !isCancelled && AppleDevice.WebAuthentication.canStart }

    @discardableResult open func start() -> Bool { AppleDevice.WebAuthentication.begin(self) }

    @available(tvOS, unavailable)
    open func cancel() { AppleDevice.WebAuthentication.cancel(self) }
}
