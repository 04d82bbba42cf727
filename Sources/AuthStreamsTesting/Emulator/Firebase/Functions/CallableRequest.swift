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

/// The fields of a call of `socialLogin` or the revocation function, by the names of the function's format.
struct SocialFields {
    let provider: ProviderID
    let credential: PresentedCredential
    /// The requested operation; `nil` for a sign-in.
    let action: SocialLoginFunction.Format.Action?

    private static let providers: [ProviderID] = [.kakao, .naver, .apple, .google]

    /// Reads a call that the functions framework has accepted.
    ///
    /// - Throws: `failedPrecondition` for an app that the project does not admit; `invalidArgument` for data that is
    ///   not an object, a field that the function does not read, a value that is not a string, or an unknown provider.
    ///   The error names only fields of the format.
    init(_ call: CallableRequest, of request: EmulatorRequest, in context: EmulatorContext) throws(CallableError) {
        let format = context.configuration.firebase.functionFormat
        guard AppRestrictions(of: request, in: context).allowsBundleID else {
            throw CallableError(.failedPrecondition, "The call does not come from an app of this project.")
        }
        guard let members = call.data.object, Set(members.keys).isSubset(of: format.fieldNames) else {
            throw CallableError(
                .invalidArgument, "The data has to be an object of: \(format.fieldNames.joined(separator: ", ")).")
        }
        func read(_ field: String?) throws(CallableError) -> String? {
            guard let field, let value = try call.string(field) else { return nil }
            // A format may have names that do not identify a secret.
            context.note(field, value, host: request.host)
            return value
        }
        credential = PresentedCredential(
            idToken: try read(format.idToken), nonce: try read(format.nonce), accessToken: try read(format.accessToken),
            code: try read(format.code), state: try read(format.state), redirectURI: try read(format.redirectURI))
        action = try Self.action(in: call, format)
        _ = try format.codeVerifier.flatMap { (name) throws(CallableError) in try call.string(name) }
        guard let field = format.provider else {
            // Without a provider field, the function infers the provider from the proof.
            provider = credential.code == nil ? .kakao : .naver
            return
        }
        let name = try call.string(field)
        guard let provider = Self.providers.first(where: { format.name(of: $0) == name }) else {
            throw CallableError(.invalidArgument, "'\(field)' must be the name of a provider of this function.")
        }
        self.provider = provider
    }

    private static func action(
        in call: CallableRequest, _ format: SocialLoginFunction.Format
    ) throws(CallableError) -> SocialLoginFunction.Format.Action? {
        guard let field = format.action, let name = try call.string(field) else { return nil }
        guard let action = SocialLoginFunction.Format.Action(rawValue: name) else {
            throw CallableError(.invalidArgument, "'\(field)' must be 'link', 'unlink', 'reauthenticate' or absent.")
        }
        return action
    }
}
