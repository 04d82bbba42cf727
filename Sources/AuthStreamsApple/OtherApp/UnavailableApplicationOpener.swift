#if AUTH_AUTHENTICATION_SERVICES && !(AUTH_UIKIT || AUTH_APPKIT)
    import AuthStreams
    import Foundation

    /// Opens nothing: on watchOS no other app can be opened.
    struct UnavailableApplicationOpener: ApplicationOpener {
        func canOpen(_ url: URL) -> Bool { false }

        func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? { nil }
    }
#endif
