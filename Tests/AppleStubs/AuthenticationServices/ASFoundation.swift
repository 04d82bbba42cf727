#if AUTH_APPKIT
    /// developer.apple.com/documentation/authenticationservices/aspresentationanchor
    public typealias ASPresentationAnchor = NSWindow
#elseif AUTH_UIKIT
    /// developer.apple.com/documentation/authenticationservices/aspresentationanchor
    public typealias ASPresentationAnchor = UIWindow
#endif
