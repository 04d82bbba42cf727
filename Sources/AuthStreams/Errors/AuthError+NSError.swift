public import Foundation

extension AuthError: CustomNSError {
    /// `AuthStreams.AuthError`: crash reporters group by it and the number of the code.
    public static var errorDomain: String { "AuthStreams.AuthError" }

    /// The number of the code; see ``Code/number``.
    public var errorCode: Int { code.number }

    /// The details for a crash report, without secrets: ``debugDescription`` under `NSDebugDescriptionErrorKey`; the code's
    /// name, the provider, the operation, the step and the server's own code under `code`, `provider`, `operation`, `step` and
    /// `serverCode`; and the texts for the person.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSDebugDescriptionErrorKey: debugDescription, "code": code.rawValue]
        info["provider"] = provider?.rawValue
        info["operation"] = operation?.rawValue
        info["step"] = step?.rawValue
        info["serverCode"] = serverCode
        info[NSLocalizedDescriptionKey] = errorDescription
        info[NSLocalizedRecoverySuggestionErrorKey] = recoverySuggestion
        return info
    }
}
