@_exported public import AppleFoundation

#if AUTH_APPKIT
    @_exported public import AppKit
#elseif AUTH_UIKIT
    @_exported public import UIKit
#endif
