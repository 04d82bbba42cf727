#if AUTH_AUTHENTICATION_SERVICES
    #if AUTH_UIKIT
        import UIKit
    #endif

    /// The confinement of an iPhone or iPad to one app, in which the system shows no page of a web authentication session.
    enum GuidedAccess {
        #if AUTH_UIKIT
            @MainActor static var isOn: Bool { UIAccessibility.isGuidedAccessEnabled }
        #else
            static let isOn = false
        #endif
    }
#endif
