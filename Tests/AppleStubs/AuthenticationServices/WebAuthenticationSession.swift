#if AUTH_SWIFTUI
    public import Foundation
    public import SwiftUI

    /// developer.apple.com/documentation/authenticationservices/webauthenticationsession
    @available(macOS 13.3, iOS 16.4, tvOS 16.4, watchOS 9.4, *)
    @MainActor public struct WebAuthenticationSession: Sendable {
        /// What tells tests one session from another. Apple's has no initializer and no name.
        package let name: String

        package init(_ name: String) { self.name = name }

        /// developer.apple.com/documentation/authenticationservices/webauthenticationsession/browsersession
        public struct BrowserSession: Sendable {
            // Not confirmed: whether these are stored.
            public static var shared: BrowserSession { fatalError() }
            public static var ephemeral: BrowserSession { fatalError() }
        }

        /// …/authenticate(using:callbackurlscheme:preferredbrowsersession:)
        @available(macOS, introduced: 13.3, deprecated: 27.0)
        @available(iOS, introduced: 16.4, deprecated: 27.0)
        @available(tvOS, introduced: 16.4, deprecated: 27.0)
        @available(watchOS, introduced: 9.4, deprecated: 27.0)
        public func authenticate(
            using url: URL, callbackURLScheme: String,
            preferredBrowserSession: WebAuthenticationSession.BrowserSession? = nil
        ) async throws -> URL { fatalError() }

        /// …/authenticate(using:callback:preferredbrowsersession:additionalheaderfields:)
        @available(macOS 14.4, iOS 17.4, tvOS 17.4, watchOS 10.4, visionOS 1.1, *)
        public func authenticate(
            using url: URL, callback: ASWebAuthenticationSession.Callback,
            preferredBrowserSession: WebAuthenticationSession.BrowserSession? = nil,
            additionalHeaderFields: [String: String]
        ) async throws -> URL { fatalError() }
    }

    @available(macOS 13.3, iOS 16.4, tvOS 16.4, watchOS 9.4, *)
    extension EnvironmentValues {
        /// developer.apple.com/documentation/swiftui/environmentvalues/webauthenticationsession
        public var webAuthenticationSession: WebAuthenticationSession { fatalError() }
    }
#endif
