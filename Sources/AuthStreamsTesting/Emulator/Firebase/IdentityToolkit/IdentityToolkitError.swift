import AuthStreams
import LoopbackHTTP

/// An error of Identity Toolkit or Secure Token, in Google's envelope.
///
/// The code precedes the first colon of the message, a detail for engineers follows it.
struct IdentityToolkitError: Error {
    var httpStatus = 400
    var message: String
    var reason = "invalid"
    var status: String?
    var details: AuthJSON?

    init(_ code: String, _ detail: String? = nil) {
        message = detail.map { "\(code) : \($0)" } ?? code
    }

    init(httpStatus: Int, message: String, reason: String, status: String) {
        self.httpStatus = httpStatus
        self.message = message
        self.reason = reason
        self.status = status
    }

    /// The error for a missing API key, before the method is read.
    static let missingAPIKey = Self(
        httpStatus: 403, message: "The request is missing a valid API key.", reason: "forbidden",
        status: "PERMISSION_DENIED")

    /// The error for an API key of no project.
    static let unknownAPIKey = Self(
        httpStatus: 400, message: "API key not valid. Please pass a valid API key.", reason: "keyInvalid",
        status: "INVALID_ARGUMENT")

    /// The error for a body that is not the method's JSON object.
    static func invalidPayload(_ detail: String) -> Self {
        Self(
            httpStatus: 400, message: "Invalid JSON payload received. \(detail)", reason: "badRequest",
            status: "INVALID_ARGUMENT")
    }

    /// The error for a method of production that is not emulated.
    static let notImplemented = Self(
        httpStatus: 501, message: "NOT_IMPLEMENTED : The emulator does not play this method.", reason: "unimplemented",
        status: "NOT_IMPLEMENTED")

    /// The error for a member that version 2 requires.
    static let invalidArgument = Self(
        httpStatus: 400, message: "Request contains an invalid argument.", reason: "badRequest",
        status: "INVALID_ARGUMENT")

    /// The error in the form of version 2's newer methods: with a status, without a list.
    var responseOfVersion2: LoopbackResponse {
        let error: AuthJSON = [
            "code": .integer(Int64(httpStatus)), "message": .string(message),
            "status": .string(status ?? "INVALID_ARGUMENT"),
        ]
        return .json(["error": error], status: httpStatus)
    }

    var response: LoopbackResponse {
        var error: [String: AuthJSON] = [
            "code": .integer(Int64(httpStatus)), "message": .string(message),
            "errors": [["message": .string(message), "reason": .string(reason), "domain": "global"]],
        ]
        error["status"] = status.map(AuthJSON.string)
        error["details"] = details
        return .json(["error": .object(error)], status: httpStatus)
    }
}
