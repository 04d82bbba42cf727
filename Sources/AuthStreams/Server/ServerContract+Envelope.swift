extension ServerContract {
    /// The object around each answer, which says by a member of its own whether the request succeeded.
    ///
    /// ```swift
    /// // {"isSuccess": false, "code": "AUTH4012", "message": "…", "result": null}, with HTTP 200 or 4xx
    /// contract.envelope = .init(
    ///     status: "isSuccess", success: ["true"], errorCode: "code", payload: "result",
    ///     problems: ["AUTH4011": "invalid-access-token", "AUTH4012": "session-expired"])
    /// ```
    ///
    /// An answer is a success only with 2xx and one of the ``success`` values; an error with HTTP 200 has the same
    /// meaning as with 4xx. An error whose code has no problem type never ends a session. With 429 and 5xx the
    /// HTTP status decides, and 204 without a body needs no envelope.
    public struct Envelope: Equatable, Sendable {
        /// The path of the member that says whether the request succeeded: a string, a whole number or a boolean. `nil`
        /// if the HTTP status says that, and only errors have a code.
        public var status: String?
        /// The values that mean success. Numbers and booleans are compared as text: `200`, `true`.
        public var success: Set<String>
        /// The path of the member with the error's code; `nil` if it is that of ``status``.
        public var errorCode: String?
        /// The path of the object with the members that the contract names; `nil` if they stand beside ``status``. If
        /// the object is absent or null, it counts as empty.
        public var payload: String?
        /// The problem type of each error code: one of the documented types, such as `session-expired`, or one of
        /// ``ServerContract/problems``.
        public var problems: [String: String]
        /// The problem type of those codes that mean something else in the answer to a refresh, such as one code for an
        /// expired token of either kind: `invalid-access-token` elsewhere, and `session-expired` here.
        public var refreshProblems: [String: String]

        /// Describes an envelope.
        public init(
            status: String?, success: Set<String> = [], errorCode: String? = nil, payload: String? = nil,
            problems: [String: String] = [:], refreshProblems: [String: String] = [:]
        ) {
            self.status = status
            self.success = success
            self.errorCode = errorCode
            self.payload = payload
            self.problems = problems
            self.refreshProblems = refreshProblems
        }

        /// What the envelope of an answer says.
        enum Verdict {
            case success
            /// An error, with its code.
            case refusal(String)
            /// The member at this path is missing or has no text form, so nothing is known.
            case unreadable(String)
        }

        func verdict(_ response: AuthHTTPResponse) -> Verdict {
            let answer = response.jsonObject.map(AuthJSON.object) ?? .null
            if let status {
                guard let value = answer.member(at: status)?.word else { return .unreadable(status) }
                if success.contains(value) { return .success }
            } else if response.isSuccess {
                return .success
            }
            guard let path = errorCode ?? status else { return .unreadable("") }
            return answer.member(at: path)?.word.map(Verdict.refusal) ?? .unreadable(path)
        }
    }

    /// Returns whether an answer says that the request succeeded: by its status and by the envelope, if there is one.
    func isSuccess(_ response: AuthHTTPResponse) -> Bool {
        guard response.isSuccess, let envelope, response.status != 204 || !response.body.isEmpty else {
            return response.isSuccess
        }
        if case .success = envelope.verdict(response) { return true }
        return false
    }

    /// Returns whether an answer confirms an operation without a result: 204, or 200 with a JSON object that says of no
    /// error.
    ///
    /// 202 confirms nothing yet, and proxies and captive portals answer 200 without a body or with another one.
    func isDone(_ response: AuthHTTPResponse) -> Bool {
        guard response.status == 200 else { return response.status == 204 }
        guard envelope?.status == nil else { return isSuccess(response) }
        guard let members = response.jsonObject else { return false }
        return [nil, .null].contains(members["error"])
    }

    /// Returns the object with the members that the contract names.
    ///
    /// - Throws: `invalidResponse` if the answer is not a JSON object, or the payload is of another type.
    func payload(of response: AuthHTTPResponse) throws(AuthError) -> AuthJSON {
        guard let members = response.jsonObject else {
            // A server that answers with tokens in header fields need not have a body.
            if response.body.isEmpty, session.accessToken.header.map({ response.headers[$0] != nil }) ?? false {
                return [:]
            }
            throw AuthError(
                .invalidResponse,
                "The answer is not a JSON object. Something between the app and the server may have answered.")
        }
        guard let path = envelope?.payload else { return .object(members) }
        switch AuthJSON.object(members).member(at: path) {
        case nil, .null: return [:]
        case .object(let payload): return .object(payload)
        default: throw .badMember(path, "is not an object")
        }
    }

    /// Returns the whole path of a member of the payload, for errors.
    func path(_ name: String) -> String {
        [envelope?.payload ?? "", name].filter { !$0.isEmpty }.joined(separator: ".")
    }
}

extension AuthJSON {
    /// The text form of a string, a whole number or a boolean; `nil` for an empty string and for any other value.
    var word: String? {
        switch self {
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        default: text
        }
    }
}

/// Members by the paths of a contract: names joined by dots, each of which leads into an object.
extension AuthJSON {
    /// Returns the member at a path; `nil` if it is absent or a part of the path is not an object. An empty path is the
    /// value itself.
    func member(at path: String) -> AuthJSON? {
        var value = self
        for name in path.split(separator: ".") {
            guard let member = value[String(name)] else { return nil }
            value = member
        }
        return value
    }
}

extension [String: AuthJSON] {
    /// Adds a member at a path, with the objects that lead to it. A member that is already there stays.
    mutating func add(_ path: String, _ value: AuthJSON) { add(path.split(separator: ".")[...], value) }

    private mutating func add(_ path: ArraySlice<Substring>, _ value: AuthJSON) {
        guard let name = path.first.map(String.init) else { return }
        guard path.count > 1 else {
            if self[name] == nil { self[name] = value }
            return
        }
        guard var members = (self[name] ?? [:]).object else { return }
        members.add(path.dropFirst(), value)
        self[name] = .object(members)
    }
}
