/// An answer that is not a success, and its meaning for the caller.
///
/// A problem type of the contract decides, then the contract's list of refusals, then the status. In the answer to a refresh the
/// list takes precedence over a type that does not end the session. With 3xx, 429 and 5xx a type does not count.
///
/// Only the server's own terminal rejection may end a session. So `userNotFound`, `userDisabled` and `sessionExpired`
/// come only from a type of the contract, of problem details with a 4xx or of the contract's envelope with a 4xx or
/// 2xx, and from the refusals that the contract lists. Never from a page of a proxy or captive portal.
final class ServerErrorResponse: Sendable {
    /// The operation of the request. A status alone has a different meaning for each.
    enum Operation: Equatable {
        case signIn, anonymousSignIn, refresh, signOut, deletion, link, reauthentication
        /// Any other operation with an access token.
        case change
        /// A question for what the server knows of the user, which changes nothing.
        case reload
        /// The person's answer to a challenge of a sign-in, without an access token, with those of the contract's steps that were
        /// answered by then.
        case answer(toSteps: Set<Int>)
        /// A mail that is asked for, without an access token.
        case preparation

        /// Whether an answer may be a challenge.
        var mayBeChallenged: Bool {
            switch self {
            case .refresh, .signOut, .reload, .preparation: false
            default: true
            }
        }

        /// Whether an answer with an access token may be that one of the contract's steps: a server may give a guest's tokens until
        /// the sign-in is complete.
        func mayGiveTokens(atStep index: Int) -> Bool {
            switch self {
            case .signIn: true
            // The session that ends the steps may come in the words that began one.
            case .answer(let answered): !answered.contains(index)
            default: false
            }
        }

        /// The token of the session that authorizes the request, and that an answer may refuse; `nil` if there is none.
        var token: ServerTokens.Kind? {
            switch self {
            case .signIn, .anonymousSignIn, .answer, .preparation: nil
            case .refresh: .refresh
            case .signOut, .deletion, .link, .reauthentication, .change, .reload: .access
            }
        }
    }

    private let request: AuthHTTPRequest
    private let response: AuthHTTPResponse
    private var status: Int { response.status }
    private let operation: Operation
    private let contract: ServerContract
    /// The token of the request, if the contract lists the answer as a refusal of it.
    private let listed: ServerTokens.Kind?
    private let problem: ProblemDetails?
    /// What the problem's type means; `nil` if it is none of the contract, or the status takes precedence.
    private let byType: ServerProblems.Meaning?
    /// The name of the problem's type, otherwise the server's own code; `nil` if it has none, or repeats the status.
    private let code: Secret?
    /// The server's own words, in the form that an error may show.
    private let message: String?
    /// What the envelope of a 2xx says; `nil` for any other status, and without an envelope.
    private let verdict: ServerContract.Envelope.Verdict?

    init(_ exchange: ServerExchange, to operation: Operation, by contract: ServerContract) {
        let response = exchange.response
        let details = response.isSuccess ? nil : ProblemDetails(exchange)
        let inEnvelope = contract.envelope.flatMap { ProblemDetails(exchange, to: operation, in: $0) }
        let problem = details?.name != nil ? details : inEnvelope ?? details
        request = exchange.request
        self.response = response
        self.operation = operation
        self.contract = contract
        listed = operation.token.flatMap { contract.lists(response, asRefusalOf: $0) ? $0 : nil }
        self.problem = problem
        // A redirect, and a server that is overloaded or failing, cannot end a session. With 2xx there is a problem only where the
        // envelope says that the request was refused.
        byType = response.isDecision ? problem?.name.flatMap(contract.meaning(ofProblem:)) : nil
        // It may be a token.
        code = (details?.name ?? contract.ownCode(in: exchange)).map { Secret($0) }
        message = contract.errorMessage.flatMap { path in
            ServerMessage.shown(exchange.json?.member(at: path)?.text, hiding: exchange.request.texts)
        }
        verdict = response.isSuccess ? contract.envelope?.verdict(exchange) : nil
    }

    var error: AuthError {
        let meaning = meaning
        var error = AuthError(
            meaning.code, meaning.explanation,
            serverCode: printable(problem?.printableName ?? code.flatMap { ProblemDetails.printable($0.reveal()) }),
            endsSession: problem?.name.flatMap { ServerProblems.endings[$0] }, refusesAccessToken: isAboutAccessToken)
        error.serverMessage = message
        switch meaning.code {
        case .rateLimited, .server: error.retryAfter = response.credibleRetryAfter
        case .accountExists, .credentialInUse: error.conflict = problem?.conflict(by: contract) ?? AuthConflict()
        case .invalidInput:
            guard let field = printable(problem?.field(by: contract)) else { break }
            error.explanation += " The field is '\(field)'."
            error.serverDetails = ["field": .string(field)]
        default: break
        }
        return error
    }

    /// Returns a word that may be printed, unless the request sent it: it may be a code or a password.
    private func printable(_ word: String?) -> String? { word.flatMap { request.sends($0) ? nil : $0 } }

    // MARK: What the server says

    /// Whether the problem has a type of the contract.
    var hasTypeOfContract: Bool { byType != nil }

    private func hasType(_ name: String) -> Bool { hasTypeOfContract && problem?.name == name }

    /// Whether the server says to an answer of the person, by a type of the contract, that it takes no further one, and does not want
    /// another step.
    var endsAttempt: Bool {
        guard hasTypeOfContract else { return false }
        let error = error
        let others: [AuthError.Code] = [
            .codeMismatch, .invalidInput, .requiresRecentSignIn, .rateLimited, .server,
        ]
        return !error.asksFurther && !others.contains(error.code)
    }

    /// Whether the server says that the code that it sent is no longer valid.
    var saysThatCodeExpired: Bool { hasType("code-expired") }

    /// Whether the server says, by a type of the contract, that the session to end is over or does not exist.
    var saysThatThereIsNoSession: Bool { byType?.endsSession ?? false }

    /// Whether the server refused the access token before it did anything else.
    var isAboutAccessToken: Bool { listed == .access && byType == nil || hasType("invalid-access-token") }

    // MARK: What it means

    private var meaning: ServerProblems.Meaning {
        switch (listed, byType) {
        // A type of the contract says more than that a token is refused; at a refresh only one that says why the session ends.
        case (.refresh?, let type?) where type.endsSession: type
        case (.refresh?, _):
            .init(.sessionExpired, "The server refused the refresh token with an answer that the contract lists.")
        case (_, let type?): type
        case (.access?, nil):
            .init(
                .invalidCredential, "The server did not take the access token, by an answer that the contract lists.")
        case (nil, nil): byStatus ?? (code != nil ? Self.byOwnCode : unknown)
        }
    }

    /// What the status means without a type of the contract; `nil` if it says nothing by itself.
    private var byStatus: ServerProblems.Meaning? {
        // With a code of the server's own, and no problem type, it is the endpoint that has answered.
        if code != nil, problem?.name == nil, [400, 404, 405, 415, 422].contains(status) { return nil }
        return switch (status, operation) {
        case (200..<300, _): byEnvelope
        case (300..<400, _):
            .init(
                .invalidResponse,
                "The server answered with a redirect (\(status)), which is never followed: the tokens would go along. "
                    + "Set the base URL, or the contract's path, to where it leads.")
        case (429, _): .init(.rateLimited, "The server wants fewer requests. Try again later.")
        case (500..., _): .init(.server, "The server failed with status \(status). Try again later.")
        case (404, _):
            .init(.misconfigured, "The server has no such endpoint. Check the base URL and the contract's path.")
        case (400, _), (405, _), (415, _), (422, _):
            .init(.misconfigured, "The server does not understand the request. Compare its contract with the app's.")
        case (401, .signIn) where !response.isPage:
            .init(.invalidCredential, "The server refused the provider's credential.")
        // What stands between the app and the server answers with the same statuses, but not with a problem.
        case _ where problem == nil: nil
        // A gateway's 401 or 410 looks the same, so without a type of the contract it is not a terminal rejection.
        case (401, .refresh), (401, .answer), (401, .preparation): nil
        case (401, _): .init(.invalidCredential, "The server did not take the access token. Refresh, then repeat.")
        case (403, _): .init(.accessDenied, "The server refuses this person. Look at its log.")
        case (409, .signIn): .init(.accountExists, "The server says that the account exists already.")
        case (409, .link), (409, .reauthentication):
            .init(.credentialInUse, "The server says that the identity is another user's.")
        default: nil
        }
    }

    private var byEnvelope: ServerProblems.Meaning {
        switch verdict {
        case .refusal: Self.byOwnCode
        case .unreadable(let path):
            .init(
                .invalidResponse,
                "The answer's member '\(path)' is missing or has no text, so it is not known whether the request "
                    + "succeeded. Compare the server's envelope with the contract's.")
        case nil where code != nil: Self.byOwnCode
        case .success, nil:
            .init(
                .invalidResponse,
                "Status \(status) came without what says that it was done: 204, or 200 with a JSON object that tells of no "
                    + "error. Compare the server with the contract, and see what stands between.")
        }
    }

    private static let byOwnCode = ServerProblems.Meaning(
        .refused,
        "The server refused with a code of its own. Give it a meaning in the contract's `problems`, or in those of its envelope."
    )

    private var unknown: ServerProblems.Meaning {
        .init(
            .invalidResponse,
            "Status \(status) came without a problem that the contract has. Check the base URL, and what stands between."
        )
    }
}

extension AuthHTTPResponse {
    /// Whether the server has decided about the request: with 2xx, and with 4xx but 429. With any other status the answer is
    /// neither a problem of the contract nor a challenge.
    var isDecision: Bool { isSuccess || (400..<500).contains(status) && status != 429 }
}

extension ServerContract {
    /// Returns the answers that refuse a token, as the contract lists them.
    func refusals(of token: ServerTokens.Kind?) -> [ServerRefusal] {
        switch token {
        case .access: accessTokenRefusals
        case .refresh: refreshRefusals
        case nil: []
        }
    }

    /// Returns whether the contract lists an answer as a refusal of a token. A page and 429 are none, because an intermediary may
    /// have sent them.
    func lists(_ response: AuthHTTPResponse, asRefusalOf token: ServerTokens.Kind) -> Bool {
        !response.isPage && response.status != 429 && refusals(of: token).contain(response)
    }
}
