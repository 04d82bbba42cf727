public import Foundation

extension AppleDevice {
    /// What tests control of `ASWebAuthenticationSession`.
    @MainActor public enum WebAuthentication {
        /// A sheet that is up.
        @MainActor public final class Sheet {
            public let session: ASWebAuthenticationSession
            #if (AUTH_APPKIT || AUTH_UIKIT) && !os(tvOS)
                /// What the app gave to present the sheet in.
                public let anchor: ASPresentationAnchor?

                init(_ session: ASWebAuthenticationSession, _ anchor: ASPresentationAnchor?) {
                    (self.session, self.anchor) = (session, anchor)
                }
            #else
                init(_ session: ASWebAuthenticationSession) { self.session = session }
            #endif

            public var url: URL { session.url }
            public var isEphemeral: Bool { session.prefersEphemeralWebBrowserSession }
            /// Whether the app has closed the sheet.
            public var isCancelled: Bool { session.isCancelled }

            /// The page redirects. Only a URL that fits the session's callback ends it.
            ///
            /// - Returns: Whether it did.
            @discardableResult
            public func redirect(to url: URL, times: Int = 1, on delivery: Delivery = .main) -> Bool {
                guard session.matches(url) else { return false }
                finish(url, nil, times: times, on: delivery)
                return true
            }

            /// The person closes the sheet.
            public func close(times: Int = 1, on delivery: Delivery = .main) {
                finish(nil, ASWebAuthenticationSessionError(.canceledLogin), times: times, on: delivery)
            }

            /// Calls the completion handler with anything, as often as told. It may be called again, and late.
            public func finish(_ url: URL?, _ error: (any Error)?, times: Int = 1, on delivery: Delivery = .main) {
                for _ in 0..<times { call(delivery) { [session] in session.completionHandler(url, error) } }
            }
        }

        private struct Settings {
            var canStart = true
            var hosts: Set<String> = []
            var cancelCallsHandler = true
        }

        private static let sheets: Arrivals<Sheet> = {
            let sheets = Arrivals<Sheet>()
            onReset {
                MainActor.assumeIsolated {
                    sheets.forget()
                    (started, answer) = (0, nil)
                }
            }
            return sheets
        }()

        nonisolated private static let settings: Locked<Settings> = {
            let settings = Locked(Settings())
            onReset { settings.withLock { $0 = Settings() } }
            return settings
        }()

        /// Whether sessions can start. They cannot in Guided Access and on some managed devices: `start()` is false.
        nonisolated public static var canStart: Bool {
            get { settings.withLock { $0.canStart } }
            set { settings.withLock { $0.canStart = newValue } }
        }

        /// The hosts that the app is associated with by `webcredentials`, as https callbacks need.
        nonisolated public static var associatedHosts: Set<String> {
            get { settings.withLock { $0.hosts } }
            set { settings.withLock { $0.hosts = newValue } }
        }

        /// Whether `cancel()` calls the completion handler with `canceledLogin`. Apple's pages do not say.
        nonisolated public static var cancelCallsHandler: Bool {
            get { settings.withLock { $0.cancelCallsHandler } }
            set { settings.withLock { $0.cancelCallsHandler = newValue } }
        }

        /// Answers the sheets from now on, in place of tests that wait for ``nextSheet()``.
        public static var answer: (@MainActor (Sheet) -> Void)? { didSet { _ = sheets } }
        /// How many sheets were up.
        public private(set) static var started = 0

        /// Waits for the next sheet that the app puts up.
        public static func nextSheet() async -> Sheet { await sheets.next() }

        nonisolated static func begin(_ session: ASWebAuthenticationSession) -> Bool {
            callAndWait { beginOnMain(session) }
        }

        private static func beginOnMain(_ session: ASWebAuthenticationSession) -> Bool {
            precondition(["http", "https"].contains(session.url.scheme), "the system raises an exception")
            guard session.canStart else { return false }
            #if (AUTH_APPKIT || AUTH_UIKIT) && !os(tvOS)
                guard let provider = session.presentationContextProvider else {
                    return refuse(session, .presentationContextNotProvided)
                }
                let sheet = Sheet(session, provider.presentationAnchor(for: session))
            #else
                let sheet = Sheet(session)
            #endif
            #if AUTH_UIKIT && !os(tvOS)
                let state = sheet.anchor?.windowScene?.activationState
                guard state == .foregroundActive || state == .foregroundInactive else {
                    return refuse(session, .presentationContextInvalid)
                }
            #endif
            session.hasBegun = true
            if let host = session.associatedHost, !associatedHosts.contains(host) {
                let reason =
                    "Using HTTPS callbacks requires Associated Domains using the `webcredentials` service type."
                let info = [NSLocalizedFailureReasonErrorKey: reason]
                sheet.finish(nil, ASWebAuthenticationSessionError(.canceledLogin, userInfo: info))
            } else {
                started += 1
                if let answer { answer(sheet) } else { sheets.add(sheet) }
            }
            return true
        }

        private static func refuse(
            _ session: ASWebAuthenticationSession, _ code: ASWebAuthenticationSessionError.Code
        ) -> Bool {
            call(.main) { session.completionHandler(nil, ASWebAuthenticationSessionError(code)) }
            return false
        }

        nonisolated static func cancel(_ session: ASWebAuthenticationSession) {
            guard !session.isCancelled else { return }
            session.isCancelled = true
            guard session.hasBegun, cancelCallsHandler else { return }
            call(.main) { session.completionHandler(nil, ASWebAuthenticationSessionError(.canceledLogin)) }
        }
    }
}
