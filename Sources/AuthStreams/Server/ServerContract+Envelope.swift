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
        /// if the HTTP status says that, and only errors have a code: an answer with one is an error with 2xx as well.
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

        /// Returns the problem type of an error's code; `nil` if the contract has none.
        func problem(_ code: String, inAnswerTo operation: ServerErrorResponse.Operation) -> String? {
            (operation == .refresh ? refreshProblems[code] : nil) ?? problems[code]
        }

        /// What the envelope of an answer says.
        enum Verdict: Equatable {
            case success
            /// An error, with its code.
            case refusal(String)
            /// The member at this path is missing or has no text form, so nothing is known.
            case unreadable(String)
        }

        func verdict(_ exchange: ServerExchange) -> Verdict {
            let answer = exchange.json ?? .null
            if let status {
                guard let value = answer.member(at: status)?.word else { return .unreadable(status) }
                if success.contains(value) { return .success }
            }
            guard let path = errorCode ?? status else {
                return exchange.response.isSuccess ? .success : .unreadable("")
            }
            if let code = answer.member(at: path)?.word { return .refusal(code) }
            return status == nil && exchange.response.isSuccess ? .success : .unreadable(path)
        }
    }

    /// Returns the server's own code in an answer: where the envelope has it, otherwise the member `code`.
    ///
    /// - Returns: `nil` if there is none, or it repeats the status.
    func ownCode(in exchange: ServerExchange) -> String? {
        let path = envelope.map { $0.errorCode ?? $0.status ?? "" } ?? "code"
        guard !path.isEmpty, let code = exchange.json?.member(at: path)?.word, code != "\(exchange.response.status)"
        else {
            return nil
        }
        return code
    }

    /// Returns whether an answer says that the request succeeded: by its status and by the envelope, if there is one. A
    /// refusal that the contract lists may have any status. A code that no envelope describes is an error's, unless a
    /// token or a user comes with it.
    private func isSuccess(_ exchange: ServerExchange, to operation: ServerErrorResponse.Operation) -> Bool {
        let response = exchange.response
        guard response.isSuccess, !refusals(of: operation.token).contain(response) else { return false }
        guard let envelope else { return ownCode(in: exchange) == nil || hasContent(exchange) }
        return response.isEmpty204 || envelope.verdict(exchange) == .success
    }

    /// Returns whether an answer confirms an operation without a result: 204, or 200 with a JSON object that says of no
    /// error.
    ///
    /// 202 confirms nothing yet, and proxies and captive portals answer 200 without a body or with another one.
    func isDone(_ exchange: ServerExchange, to operation: ServerErrorResponse.Operation) -> Bool {
        let status = exchange.response.status
        guard isSuccess(exchange, to: operation) else { return false }
        guard status == 200 else { return status == 204 }
        guard envelope?.status == nil else { return true }
        guard let members = exchange.json?.object else { return false }
        return [nil, .null].contains(members["error"])
    }

    private func hasContent(_ exchange: ServerExchange) -> Bool {
        let (payload, names) = (exchange.json ?? .null, [session.user, session.reloadedUser ?? session.user])
        let token = try? token(
            at: session.accessToken, payload, exchange.response, from: exchange.request.url)
        return token != nil || names.contains { payload.member(at: $0)?.member(at: user.id) != nil }
    }

    /// - Throws: The error of the answer, unless it says that the request succeeded; a challenge, if it has one.
    func requireSuccess(
        of exchange: ServerExchange, to operation: ServerErrorResponse.Operation
    ) throws(AuthError) {
        try requireNoChallenge(in: exchange, to: operation)
        guard !isSuccess(exchange, to: operation) else { return }
        throw ServerErrorResponse(exchange, to: operation, by: self).error
    }

    /// - Throws: The error of the answer, unless it confirms an operation without a result; a challenge, if it has one.
    func requireDone(_ exchange: ServerExchange, to operation: ServerErrorResponse.Operation) throws(AuthError) {
        try requireNoChallenge(in: exchange, to: operation)
        guard !isDone(exchange, to: operation) else { return }
        throw ServerErrorResponse(exchange, to: operation, by: self).error
    }

    /// Returns the object with the members that the contract names.
    ///
    /// - Throws: `invalidResponse` if the answer is not a JSON object, or the payload is of another type.
    func payload(of exchange: ServerExchange) throws(AuthError) -> AuthJSON {
        guard let members = exchange.json?.object else {
            let response = exchange.response
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

    /// Returns the object with the members that the contract names, and its path.
    func payloadMember(of exchange: ServerExchange) throws(AuthError) -> ServerMember {
        ServerMember(value: try payload(of: exchange), path: path(""))
    }

    /// Returns the whole path of a member of the payload, for errors.
    func path(_ name: String) -> String {
        [envelope?.payload ?? "", name].filter { !$0.isEmpty }.joined(separator: ".")
    }
}

extension AuthHTTPResponse {
    /// Whether the answer is 204 without a body. Any other empty answer may be that of an intermediary.
    var isEmpty204: Bool { status == 204 && body.isEmpty }
}
