import Foundation

/// An answer that is not 2xx, and what it means to whoever asked.
///
/// Only the server's own definite no may end a session. So `userNotFound`, `userDisabled` and `sessionExpired` come from
/// problem details alone, with a 4xx and a type that the contract has: never from a page of a proxy or captive portal, a
/// 5xx, or a status that says nothing, unless the contract says that it does.
struct ServerErrorResponse {
    /// What was asked for. A status alone means something else at each.
    enum Operation {
        case signIn, anonymousSignIn, refresh, signOut, deletion, link, reauthentication
        /// Anything else that takes an access token.
        case change
    }

    private let status: Int
    private let retryAfter: Duration?
    private let problem: ProblemDetails?
    private let isPage: Bool
    private let operation: Operation
    private let contract: ServerContract

    init(_ response: HTTPResponse, to operation: Operation, by contract: ServerContract) {
        status = response.status
        retryAfter = response.credibleRetryAfter
        problem = ProblemDetails(response)
        isPage = response.isPage
        self.operation = operation
        self.contract = contract
    }

    var error: AuthError {
        let meaning = meaning
        let mayWait = meaning.code == .rateLimited || meaning.code == .server
        let isConflict = meaning.code == .accountExists || meaning.code == .credentialInUse
        return AuthError(
            meaning.code, meaning.explanation, serverCode: problem?.printableName,
            retryAfter: mayWait ? retryAfter : nil,
            conflict: isConflict ? problem?.conflict(by: contract.conflict) ?? AuthConflict() : nil,
            endsSession: problem?.name.flatMap { ServerProblems.endings[$0] }, refusesAccessToken: isAboutAccessToken)
    }

    /// Whether the server says, in the contract's own words, that what it was to end is over or was never there.
    var saysThatThereIsNoSession: Bool {
        guard isBelievable, let byType else { return false }
        return [.userNotFound, .userDisabled, .sessionExpired].contains(byType.code)
    }

    /// Whether the server says that it did not take the access token, and has looked at nothing else.
    var isAboutAccessToken: Bool { isBelievable && problem?.name == "invalid-access-token" }

    private var isBelievable: Bool { (400..<500).contains(status) && status != 429 }

    private var meaning: ServerProblems.Meaning {
        switch status {
        // Whatever else it says: a server that fails or wants fewer requests is not believed that a session is over.
        case 429: .init(.rateLimited, "The server wants fewer requests. Try again later.")
        case 500...: .init(.server, "The server failed with status \(status). Try again later.")
        case 300..<400:
            .init(
                .invalidResponse,
                "The server answered with a redirect (\(status)), which is never followed: the tokens would go along. "
                    + "Set the base URL, or the contract's path, to where it leads.")
        case 400..<500: byType ?? untypedMeaning ?? byStatus
        case 200..<300:
            .init(
                .invalidResponse,
                "Status \(status) came without what says that it was done: 204, or 200 with a JSON object that tells of no "
                    + "error. Compare the server with the contract, and see what stands between.")
        default: unknown
        }
    }

    private var byType: ServerProblems.Meaning? {
        guard let name = problem?.name else { return nil }
        if let code = contract.problems[name] {
            return .init(code, "The server refused with a problem type of its own.")
        }
        return ServerProblems.table[name]
    }

    private var byStatus: ServerProblems.Meaning {
        switch (status, operation) {
        case (404, _):
            .init(.misconfigured, "The server has no such endpoint. Check the base URL and the contract's path.")
        case (400, _), (405, _), (415, _), (422, _):
            .init(.misconfigured, "The server does not understand the request. Compare its contract with the app's.")
        case (401, .signIn) where !isPage: .init(.invalidCredential, "The server refused the provider's credential.")
        default: problem == nil ? unknown : byStatusOfProblem
        }
    }

    private var byStatusOfProblem: ServerProblems.Meaning {
        switch (status, operation) {
        // Any gateway's 401 or 410 looks the same, so without a type of the contract's it is no definite no.
        case (401, .refresh): unknown
        case (401, _): .init(.invalidCredential, "The server did not take the access token. Refresh, then repeat.")
        case (403, _): .init(.accessDenied, "The server refuses this person. Look at its log.")
        case (409, .signIn): .init(.accountExists, "The server says that the account exists already.")
        case (409, .link), (409, .reauthentication):
            .init(.credentialInUse, "The server says that the identity is another user's.")
        default: unknown
        }
    }

    /// What the app's team says of a status, where the problem has no type to go by.
    private var untypedMeaning: ServerProblems.Meaning? {
        guard operation == .refresh, problem?.hasType == false, let code = contract.refreshStatuses[status] else {
            return nil
        }
        return .init(code, "The server refused the refresh with status \(status), which the contract gives a meaning.")
    }

    private var unknown: ServerProblems.Meaning {
        .init(
            .invalidResponse,
            "Status \(status) came without a problem that the contract has. Check the base URL, and what stands between."
        )
    }
}
