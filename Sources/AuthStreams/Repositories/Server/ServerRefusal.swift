import Foundation

/// An answer that is not 2xx, and what it means to whoever asked.
///
/// Only the server's own definite no may end a session. So `userNotFound`, `userDisabled` and `sessionExpired` come from
/// problem details alone, with a 4xx: never from a page of a proxy or captive portal, a 5xx, or a status that says nothing.
struct ServerRefusal {
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
        retryAfter = response.retryAfter
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
            conflict: isConflict ? problem?.conflict(by: contract.conflict) ?? AuthConflict() : nil)
    }

    /// Whether the server says, in the contract's own words, that what it was to end is over or was never there.
    var saysThatThereIsNoSession: Bool {
        guard (400..<500).contains(status), status != 429, let byType else { return false }
        return [.userNotFound, .userDisabled, .sessionExpired].contains(byType.code)
            || problem?.name == "invalid-access-token"
    }

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
        case 400..<500: byType ?? byStatus
        case 200..<300: .init(.invalidResponse, "A page came in the server's place. Something between answered.")
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
        // A type that the contract has not is some gateway's or a newer server's: no definite no.
        case (401, .refresh) where problem?.hasType == true: unknown
        case (410, _) where problem?.hasType == true: unknown
        case (401, .refresh): .init(.sessionExpired, "The server does not take the refresh token. Sign in again.")
        case (401, _): .init(.invalidCredential, "The server did not take the access token. Refresh, then repeat.")
        case (403, _): .init(.accessDenied, "The server refuses this person. Look at its log.")
        case (409, .signIn): .init(.accountExists, "The server says that the account exists already.")
        case (409, .link), (409, .reauthentication):
            .init(.credentialInUse, "The server says that the identity is another user's.")
        case (410, .refresh), (410, .deletion): .init(.userNotFound, "The account is gone. Sign in again.")
        default: unknown
        }
    }

    private var unknown: ServerProblems.Meaning {
        .init(
            .invalidResponse,
            "Status \(status) came without a problem that the contract has. Check the base URL, and what stands between."
        )
    }
}

extension HTTPResponse {
    /// Whether this is for a browser: what a proxy or a captive portal answers in the server's place, with any status.
    package var isPage: Bool {
        headers[.contentType]?.lowercased().contains("html") ?? false || body.first == UInt8(ascii: "<")
    }
}
