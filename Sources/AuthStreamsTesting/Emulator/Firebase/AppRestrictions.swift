import AuthStreams

/// The project's checks of an app before any other: a bundle identifier, an App Check token.
struct AppRestrictions {
    private let project: EmulatorConfiguration.Firebase
    private let bundleID: String?
    private let appCheckToken: String?

    init(of request: EmulatorRequest, in context: EmulatorContext) {
        project = context.configuration.firebase
        bundleID = request.header("X-Ios-Bundle-Identifier")
        appCheckToken = request.header("X-Firebase-AppCheck")
    }

    var allowsBundleID: Bool {
        project.requiredBundleIDs.isEmpty || bundleID.map(project.requiredBundleIDs.contains) == true
    }

    /// A missing token and an invalid one give the same error.
    var allowsAppCheckToken: Bool {
        project.appCheckTokens.isEmpty || appCheckToken.map(project.appCheckTokens.contains) == true
    }

    /// As Identity Toolkit and Secure Token check: first the key's restriction, then App Check.
    func check() throws(IdentityToolkitError) {
        guard allowsBundleID else {
            throw .blockedBundleID(bundleID, consumer: "projects/\(project.projectNumber)")
        }
        guard allowsAppCheckToken else { throw .invalidAppCheckToken }
    }
}

extension IdentityToolkitError {
    /// The error for a bundle identifier that the API key is not for.
    fileprivate static func blockedBundleID(_ bundleID: String?, consumer: String) -> Self {
        var error = Self(
            httpStatus: 403,
            message: "Requests from this iOS client application \(bundleID ?? "<empty>") are blocked.",
            reason: "forbidden", status: "PERMISSION_DENIED")
        error.details = [
            [
                "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_IOS_APP_BLOCKED",
                "domain": "googleapis.com",
                "metadata": ["service": "identitytoolkit.googleapis.com", "consumer": .string(consumer)],
            ]
        ]
        return error
    }

    /// The error for a missing or invalid App Check token, if App Check is enforced.
    fileprivate static let invalidAppCheckToken = Self(
        httpStatus: 401, message: "Firebase App Check token is invalid.", reason: "unauthorized",
        status: "UNAUTHENTICATED")
}
