import AuthStreams
import LoopbackHTTP

/// An error of a callable function: its code for clients and its HTTP status.
struct CallableError: Error {
    enum Code: String, CaseIterable {
        case cancelled
        case unknown
        case invalidArgument = "invalid-argument"
        case deadlineExceeded = "deadline-exceeded"
        case notFound = "not-found"
        case alreadyExists = "already-exists"
        case permissionDenied = "permission-denied"
        case resourceExhausted = "resource-exhausted"
        case failedPrecondition = "failed-precondition"
        case aborted
        case outOfRange = "out-of-range"
        case unimplemented
        case `internal`
        case unavailable
        case dataLoss = "data-loss"
        case unauthenticated

        /// As it is written in the body: upper snake case.
        var status: String { rawValue.uppercased().replacing("-", with: "_") }

        var httpStatus: Int {
            switch self {
            case .invalidArgument, .failedPrecondition, .outOfRange: 400
            case .unauthenticated: 401
            case .permissionDenied: 403
            case .notFound: 404
            case .alreadyExists, .aborted: 409
            case .resourceExhausted: 429
            case .cancelled: 499
            case .unknown, .internal, .dataLoss: 500
            case .unimplemented: 501
            case .unavailable: 503
            case .deadlineExceeded: 504
            }
        }

        /// Reads a code in either spelling: `permission-denied` or `PERMISSION_DENIED`.
        init?(named text: String) {
            guard let code = Self.allCases.first(where: { $0.rawValue == text || $0.status == text }) else {
                return nil
            }
            self = code
        }
    }

    let code: Code
    /// For engineers. Never contains a value of the caller.
    let message: String
    /// The `reason` in the details, for a program that needs more than the status.
    let reason: String?

    init(_ code: Code, _ message: String, reason: String? = nil) {
        self.code = code
        self.message = message
        self.reason = reason
    }

    var response: LoopbackResponse {
        var error: [String: AuthJSON] = ["status": .string(code.status), "message": .string(message)]
        error["details"] = reason.map { ["reason": .string($0)] }
        return .json(["error": .object(error)], status: code.httpStatus)
    }
}
