#if AUTH_AUTHENTICATION_SERVICES
    import AuthStreams
    import AuthenticationServices

    // Where the system's sheets appear. On tvOS only an authorization request takes a window, and on watchOS nothing does.
    #if !AUTH_UIKIT && !AUTH_APPKIT
        typealias AuthorizationPlace = SystemPlace
        typealias WebAuthenticationPlace = SystemPlace
    #elseif os(tvOS)
        typealias AuthorizationPlace = WindowPlace
        typealias WebAuthenticationPlace = SystemPlace
    #else
        typealias AuthorizationPlace = WindowPlace
        typealias WebAuthenticationPlace = WindowPlace
    #endif

    #if (!AUTH_UIKIT && !AUTH_APPKIT) || os(tvOS)
        /// A place that the system chooses. It has the members of a `WindowPlace`, which do nothing.
        @MainActor
        struct SystemPlace {
            init(in context: PresentationContext) throws(AuthError) {}

            func waitUntilActive() async throws(AuthError) {}

            func observeDisconnection(_ action: @escaping @MainActor @Sendable () -> Void) -> NotificationObserver? {
                nil
            }

            func anchor(_ controller: ASAuthorizationController) {}

            func anchor(_ session: ASWebAuthenticationSession) {}
        }
    #endif
#endif
