import AuthStreams
import Foundation

/// What a callable function answered: a result, or a status that says why there is none.
struct CallableAnswer {
    let result: JSONValue

    /// Reads an answer.
    ///
    /// An `error` member is an error whatever the status is, and its own status wins over that of HTTP.
    init(_ response: HTTPResponse) throws(AuthError) {
        let members = response.jsonObject
        if let error = members?["error"], error != .null {
            guard let status = error["status"]?.text else {
                throw CallableStatus(http: response.status).error(response)
            }
            guard status != "OK" else { throw Self.notAnEnvelope }
            throw CallableStatus(status).error(response)
        }
        guard response.isSuccess else {
            guard !(300..<400).contains(response.status) else {
                throw AuthError(
                    .invalidResponse, "The function answered with a redirect, which is never followed. Check its URL.")
            }
            throw CallableStatus(http: response.status).error(response)
        }
        guard let result = members?["result"] ?? members?["data"] else { throw Self.notAnEnvelope }
        self.result = try CallableNumbers.unwrapped(result)
    }

    private static var notAnEnvelope: AuthError {
        AuthError(
            .invalidResponse,
            "The answer is no JSON object with a result. Check that the URL is that of a callable function.")
    }
}
