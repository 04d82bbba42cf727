import AuthStreams

/// What the project asks of an app before it looks at anything else: a bundle identifier, an App Check token.
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

    /// A missing token and one that does not hold are told in the same words.
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
    /// A bundle identifier that the API key is not for.
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

    /// An App Check token that is missing or does not hold, where it is enforced.
    fileprivate static let invalidAppCheckToken = Self(
        httpStatus: 401, message: "Firebase App Check token is invalid.", reason: "unauthorized",
        status: "UNAUTHENTICATED")
}
