import AuthStreams
import Foundation

/// The words of a blocking function that refused a sign-in.
///
/// ```
/// CODE : HTTP Cloud Function returned an error: {"error": {"status": "NOT_FOUND", "message": "…", "details": …}}
/// ```
///
/// The sentence before the JSON differs, both may be in parentheses, and every member may be missing.
struct BlockingFunctionRefusal {
    static let code = "BLOCKING_FUNCTION_ERROR_RESPONSE"

    let status: String?
    let message: String?
    let details: AuthJSON?

    /// - Parameter message: The message after its code.
    /// - Returns: `nil` if it has no JSON of a function's error. Nothing else of it is read.
    init?(in message: Substring) {
        guard let start = message.firstIndex(of: "{"), let end = message.lastIndex(of: "}"), start < end,
            let error = AuthJSON(json: Data(message[start...end].utf8))?["error"]?.object
        else { return nil }
        status = error["status"]?.string
        self.message = error["message"]?.string
        details = error["details"] == .null ? nil : error["details"]
    }
}
