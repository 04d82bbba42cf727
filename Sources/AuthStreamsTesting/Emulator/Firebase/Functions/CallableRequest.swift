import AuthStreams
import AuthStreamsFirebase
import Foundation
import LoopbackHTTP

/// A call of a callable function with a checked envelope and token.
struct CallableRequest {
    /// The function's argument.
    let data: AuthJSON
    /// The uid of the caller, or `nil` if the call has no user.
    let uid: String?

    /// Reads a call as the functions framework does before the function's own code runs.
    ///
    /// Without `Authorization` the call has no user; an invalid token is refused.
    ///
    /// - Parameter framing: `plain` for a function without the framework: its body is its argument.
    init(
        _ request: EmulatorRequest, in context: EmulatorContext, framing: CallableFunctions.Framing
    ) throws(CallableError) {
        let mediaType = request.header("Content-Type")?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        guard request.method == "POST", mediaType?.lowercased() == "application/json", let body = request.json else {
            throw CallableError(.invalidArgument, "Bad Request")
        }
        switch framing {
        case .plain: data = body
        case .callable:
            guard let members = body.object, Set(members.keys) == ["data"], let given = members["data"] else {
                throw CallableError(.invalidArgument, "Bad Request")
            }
            data = given
        }
        uid = try Self.caller(of: request, in: context)
        guard AppRestrictions(of: request, in: context).allowsAppCheckToken else { throw Self.unauthenticated }
    }

    private static func caller(
        of request: EmulatorRequest, in context: EmulatorContext
    ) throws(CallableError) -> String? {
        guard request.header("Authorization") != nil else { return nil }
        guard let token = request.bearerToken,
            let claims = try? FirebaseTokens(context: context).claims(ofIDToken: token)
        else { throw unauthenticated }
        return claims["user_id"]?.string
    }

    /// The framework's message, for any invalid token.
    private static let unauthenticated = CallableError(.unauthenticated, "Unauthenticated")

    /// Returns a string of the data; `nil` if it is absent or null.
    func string(_ name: String) throws(CallableError) -> String? {
        switch data[name] {
        case nil, .null: return nil
        case .string(let value) where !value.isEmpty: return value
        default: throw CallableError(.invalidArgument, "'\(name)' must be a string that is not empty.")
        }
    }
}

extension CallableRequest {
    /// Runs a function as the framework does: its error becomes the answer.
    static func answer(
        to request: EmulatorRequest, in context: EmulatorContext, framing: CallableFunctions.Framing = .callable,
        _ function: (CallableRequest) async throws(CallableError) -> AuthJSON
    ) async -> LoopbackResponse {
        do throws(CallableError) {
            let call = try CallableRequest(request, in: context, framing: framing)
            if let code = request.requestedError {
                throw CallableError(CallableError.Code(named: code) ?? .internal, "A test asked for this error.")
            }
            let result = try await function(call)
            return .json(framing == .plain ? result : ["result": result])
        } catch {
            guard framing == .plain else { return error.response }
            var body: [String: AuthJSON] = ["message": .string(error.message)]
            body["reason"] = error.reason.map(AuthJSON.string)
            return .json(.object(body), status: error.code.httpStatus)
        }
    }
}
