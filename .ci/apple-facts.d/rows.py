"""What no rule derives of the stubs. A row that matches nothing is an error."""
from report import SWIFT, Rows

# module of the stubs: the modules of PyObjC that have what it declares
MODULES = {
    "AppleFoundation": ("Foundation", "CoreFoundation"),
    "Security": ("Security", "CoreFoundation"),
    "AuthenticationServices": ("AuthenticationServices",),
    "LocalAuthentication": ("LocalAuthentication",),
    "AppKit": ("AppKit",),
    "UIKit": ("AppKit",),
}

# A module whose types are on macOS under other names, or not at all. Only those of SHARED are compared.
SHARED_ALONE = {"UIKit"}

NOT_COVERED = {
    "Accessibility": "its announcements are of Swift alone",
    "CoreImage": "PyObjC lists none of these members",
    "CryptoKit": "it is of Swift alone",
    "SwiftUI": "it is of Swift alone",
    "_Testing_CoreImage": "it is of Swift alone",
    "_Testing_UIKit": "it is of Swift alone",
    "notify": "PyObjC has no package with these functions",
    "os": "PyObjC has no package with these types",
}

# How many facts of a module were equal when they were last recorded. Fewer are an error.
RECORDED = {
    "AppleFoundation": 9,
    "Security": 117,
    "AuthenticationServices": 222,
    "LocalAuthentication": 33,
    "AppKit": 56,
    "UIKit": 50,
}

ROWS = Rows(
    # Swift's name of a type: Objective-C's, and what the names of its constants begin with
    types={
        "ASAuthorization.OpenIDOperation": ("ASAuthorizationOpenIDOperation", "ASAuthorization"),
        "ASAuthorizationAppleIDButton.ButtonType":
            ("ASAuthorizationAppleIDButtonType", "ASAuthorizationAppleIDButtonType"),
        "ASAuthorizationAppleIDProvider.CredentialState":
            ("ASAuthorizationAppleIDProviderCredentialState", "ASAuthorizationAppleIDProviderCredential"),
        "ASAuthorizationController.RequestOptions":
            ("ASAuthorizationControllerRequestOptions", "ASAuthorizationControllerRequestOption"),
        "ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest.RequestStyle": (
            "ASAuthorizationPlatformPublicKeyCredentialRegistrationRequestStyle",
            "ASAuthorizationPlatformPublicKeyCredentialRegistrationRequestStyle"),
        "ASAuthorizationError.Code": ("ASAuthorizationError", "ASAuthorizationError"),
        "LAError.Code": ("LAError", "LAError"),
        "NSLayoutConstraint.Attribute": ("NSLayoutAttribute", "NSLayoutAttribute"),
        "NSLayoutConstraint.Axis": ("NSUserInterfaceLayoutOrientation", "NSUserInterfaceLayoutOrientation"),
        "NSLineBreakMode": ("NSLineBreakMode", "NSLineBreak"),
        "NSPasteboard.ContentsOptions": ("NSPasteboardContentsOptions", "NSPasteboardContents"),
        "NSPasteboard.PasteboardType": ("NSPasteboardType", "NSPasteboardType"),
        "SecAccessControlCreateFlags": ("SecAccessControlCreateFlags", "kSecAccessControl"),
        # PyObjC knows it as a CFString.
        "SecKeyAlgorithm": (None, "kSecKeyAlgorithm"),
        "UILayoutPriority": ("NSLayoutPriority", "NSLayoutPriority"),
    },
    # Swift's name of a member, with its labels: Objective-C's
    names={
        "ASAuthorizationControllerDelegate.authorizationController(controller:didCompleteWithAuthorization:)":
            "authorizationController:didCompleteWithAuthorization:",
        "ASAuthorizationControllerDelegate.authorizationController(controller:didCompleteWithError:)":
            "authorizationController:didCompleteWithError:",
        "ASAuthorizationControllerPresentationContextProviding.presentationAnchor(for:)":
            "presentationAnchorForAuthorizationController:",
        "ASWebAuthenticationPresentationContextProviding.presentationAnchor(for:)":
            "presentationAnchorForWebAuthenticationSession:",
        "ASWebAuthenticationSession.Callback.customScheme(_:)": "callbackWithCustomScheme:",
        "ASWebAuthenticationSession.Callback.https(host:path:)": "callbackWithHTTPSHost:path:",
        # Of the two names of the domain, PyObjC has the text of this one.
        "LAErrorDomain": "kLAErrorDomain",
        "NSApplicationDelegate.application(_:open:)": "application:openURLs:",
        "NSWorkspace.open(_:)": "openURL:",
        "NSWorkspace.open(_:configuration:completionHandler:)": "openURL:configuration:completionHandler:",
    },
    shared={
        "NSDirectionalEdgeInsets", "NSLayoutConstraint.Attribute", "NSLayoutConstraint.Axis", "NSLineBreakMode",
        "NSTextAlignment", "UILayoutPriority",
    },
    # what is not compared: why
    left_out={
        "ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor.Transport.allSupported":
            "it is a function in Objective-C",
        "CFTypeRef": "PyObjC has no type of that name",
        "CGImage": "CoreGraphics is not among the packages",
        "EnvironmentValues.webAuthenticationSession": SWIFT,
        "View.signInWithAppleButtonStyle(_:)": SWIFT,
        **dict.fromkeys((
            "ASAuthorizationPublicKeyCredentialAssertion", "ASAuthorizationPublicKeyCredentialAssertionRequest",
            "ASAuthorizationPublicKeyCredentialDescriptor", "ASAuthorizationPublicKeyCredentialRegistration",
            "ASAuthorizationPublicKeyCredentialRegistrationRequest", "ASPublicKeyCredential",
        ), "PyObjC has the members of the protocol, and not its name"),
    },
)
