import AuthStreams
import Foundation

/// A call of a callable function, once the envelope and the caller's token have been checked.
struct CallableRequest {
    /// What the function was given.
    let data: JSONValue
    /// The uid of who calls, or `nil` when nobody is signed in.
    let uid: String?

    /// Reads a call as the functions framework does before any code of the function runs.
    ///
    /// A missing `Authorization` means that nobody is signed in; one that does not hold is refused.
    init(_ request: EmulatorRequest, in context: EmulatorContext) throws(CallableError) {
        let mediaType = request.header("Content-Type")?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        guard request.method == "POST", mediaType?.lowercased() == "application/json",
            let members = request.json?.object, Set(members.keys) == ["data"], let data = members["data"]
        else { throw CallableError(.invalidArgument, "Bad Request") }
        self.data = data
        guard request.header("Authorization") != nil else {
            uid = nil
            return
        }
        guard let token = request.bearerToken,
            let claims = try? FirebaseTokens(context: context).claims(ofIDToken: token)
        else { throw CallableError(.unauthenticated, "Unauthenticated") }
        uid = claims["user_id"]?.string
    }

    /// A string of the data; `nil` when it is absent or null.
    func string(_ name: String) throws(CallableError) -> String? {
        switch data[name] {
        case nil, .null: return nil
        case .string(let value) where !value.isEmpty: return value
        default: throw CallableError(.invalidArgument, "'\(name)' must be a string that is not empty.")
        }
    }
}
