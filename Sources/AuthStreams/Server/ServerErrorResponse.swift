import Foundation

/// An answer that is not a success, and its meaning for the caller.
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

        /// The answers that refuse the token of the request, as the contract lists them.
        func refusals(_ contract: ServerContract) -> [ServerRefusal] {
            switch self {
            case .signIn, .anonymousSignIn, .answer, .preparation: []
            case .refresh: contract.refreshRefusals
            case .signOut, .deletion, .link, .reauthentication, .change, .reload: contract.accessTokenRefusals
            }
        }
    }

    private let request: AuthHTTPRequest
    private let status: Int
    private let retryAfter: Duration?
    private let problem: ProblemDetails?
    private let isPage: Bool
    /// Whether the contract lists the answer as a refusal of the token that the request sent.
    private let isListed: Bool
    /// Whether the contract lists the answer as a refusal of a refresh token.
    let refusesRefreshToken: Bool
    /// The name of the problem's type, otherwise the server's own code; `nil` if it has none, or repeats the status.
    private let code: Secret?
    /// The server's own words, in the form that an error may show.
    private let message: String?
    /// What the envelope of a 2xx says; `nil` for any other status, and without an envelope.
    private let verdict: ServerContract.Envelope.Verdict?
    private let operation: Operation
    private let contract: ServerContract

    init(_ exchange: ServerExchange, to operation: Operation, by contract: ServerContract) {
        let response = exchange.response
        request = exchange.request
        status = response.status
        retryAfter = response.credibleRetryAfter
        let isSuccess = response.isSuccess
        let details = isSuccess ? nil : ProblemDetails(exchange)
        let inEnvelope = contract.envelope.flatMap {
            ProblemDetails(exchange, toRefresh: operation == .refresh, in: $0)
        }
        problem = details?.name != nil ? details : inEnvelope ?? details
        verdict = isSuccess ? contract.envelope?.verdict(exchange) : nil
        isPage = response.isPage
        refusesRefreshToken = !response.isPage && status != 429 && contract.refreshRefusals.contain(response)
        isListed = !isPage && status != 429 && operation.refusals(contract).contain(response)
        // It may be a token.
        code = (details?.name ?? contract.ownCode(in: exchange)).map { Secret($0) }
        message = contract.errorMessage.flatMap { path in
            ServerMessage.shown(exchange.json?.member(at: path)?.text, hiding: exchange.request.texts)
        }
        self.operation = operation
        self.contract = contract
    }

    var error: AuthError {
        let meaning = meaning
        let mayWait = meaning.code == .rateLimited || meaning.code == .server
        let isConflict = meaning.code == .accountExists || meaning.code == .credentialInUse
        var error = AuthError(
            meaning.code, meaning.explanation,
            serverCode: printable(problem?.printableName ?? code.flatMap { ProblemDetails.printable($0.reveal()) }),
            retryAfter: mayWait ? retryAfter : nil,
            conflict: isConflict ? problem?.conflict(by: contract) ?? AuthConflict() : nil,
            endsSession: problem?.name.flatMap { ServerProblems.endings[$0] }, refusesAccessToken: isAboutAccessToken)
        error.serverMessage = message
        if meaning.code == .invalidInput, let field = printable(problem?.field(by: contract)) {
            error.explanation += " The field is '\(field)'."
            error.serverDetails = ["field": .string(field)]
        }
        return error
    }

    /// Returns a word that may be printed, unless the request sent it: it may be a code or a password.
    private func printable(_ word: String?) -> String? { word.flatMap { request.sends($0) ? nil : $0 } }

    /// Whether the problem has a type of the contract.
    var hasTypeOfContract: Bool { isBelievable && byType != nil }

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
    var saysThatCodeExpired: Bool { isBelievable && problem?.name == "code-expired" }

    /// Whether the server says, by a type of the contract, that the session to end is over or does not exist.
    var saysThatThereIsNoSession: Bool {
        guard isBelievable, let byType else { return false }
        return Self.endings.contains(byType.code)
    }

    /// Whether the server refused the access token before it did anything else.
    var isAboutAccessToken: Bool {
        if isListedMeaning, operation != .refresh { return true }
        return isBelievable && problem?.name == "invalid-access-token"
    }

    private var isBelievable: Bool {
        if case .refusal = verdict { return true }
        return (400..<500).contains(status) && status != 429
    }

    private var meaning: ServerProblems.Meaning {
        if isListedMeaning { return listedMeaning }
        return switch status {
        // Takes precedence over the problem: an overloaded or failing server cannot end a session.
        case 429: .init(.rateLimited, "The server wants fewer requests. Try again later.")
        case 500...: .init(.server, "The server failed with status \(status). Try again later.")
        case 300..<400:
            .init(
                .invalidResponse,
                "The server answered with a redirect (\(status)), which is never followed: the tokens would go along. "
                    + "Set the base URL, or the contract's path, to where it leads.")
        case 400..<500: byType ?? byStatus
        case 200..<300: byEnvelope
        default: unknown
        }
    }

    /// Whether the answer means what the contract lists it as. A type of the contract says more than that a token is
    /// refused; at a refresh only one that says why the session ends.
    private var isListedMeaning: Bool {
        guard isListed, isBelievable, let byType else { return isListed }
        return operation == .refresh && !Self.endings.contains(byType.code)
    }

    private static let endings: [AuthError.Code] = [.userNotFound, .userDisabled, .sessionExpired]

    private var listedMeaning: ServerProblems.Meaning {
        operation == .refresh
            ? .init(.sessionExpired, "The server refused the refresh token with an answer that the contract lists.")
            : .init(
                .invalidCredential, "The server did not take the access token, by an answer that the contract lists.")
    }

    private var byEnvelope: ServerProblems.Meaning {
        switch verdict {
        case .refusal: byType ?? Self.byOwnCode
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

    private var byType: ServerProblems.Meaning? {
        guard let name = problem?.name else { return nil }
        if let code = contract.problems[name] {
            return .init(code, "The server refused with a problem type of its own.")
        }
        if let meaning = ServerProblems.table[name] { return meaning }
        // A type that the contract itself names, unlike one that a server sends.
        guard let envelope = contract.envelope,
            [envelope.problems, envelope.refreshProblems].contains(where: { $0.values.contains(name) })
        else { return nil }
        return .init(
            .misconfigured,
            "The `problems` of the contract's envelope name the type '\(name)', which is neither a documented one nor in "
                + "the contract's own `problems`.")
    }

    private var byStatus: ServerProblems.Meaning {
        // Without a code these are no answers of the endpoint. Neither are they with a type of the server's own.
        if code != nil, problem?.name == nil, [400, 404, 405, 415, 422].contains(status) { return Self.byOwnCode }
        return switch (status, operation) {
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
        // A gateway's 401 or 410 looks the same, so without a type of the contract it is not a terminal rejection.
        case (401, .refresh), (401, .answer), (401, .preparation): unknown
        case (401, _): .init(.invalidCredential, "The server did not take the access token. Refresh, then repeat.")
        case (403, _): .init(.accessDenied, "The server refuses this person. Look at its log.")
        case (409, .signIn): .init(.accountExists, "The server says that the account exists already.")
        case (409, .link), (409, .reauthentication):
            .init(.credentialInUse, "The server says that the identity is another user's.")
        default: unknown
        }
    }

    private var unknown: ServerProblems.Meaning {
        code != nil
            ? Self.byOwnCode
            : .init(
                .invalidResponse,
                "Status \(status) came without a problem that the contract has. Check the base URL, and what stands between."
            )
    }
}

/// The meanings of the contract's problem types.
enum ServerProblems {
    /// A type's meaning and its remedy.
    struct Meaning {
        let code: AuthError.Code
        let explanation: String

        init(_ code: AuthError.Code, _ explanation: String) {
            self.code = code
            self.explanation = explanation
        }
    }

    static let table: [String: Meaning] = [
        // The session is over.
        "session-expired": Meaning(
            .sessionExpired, "The refresh token is expired, revoked or not known. Sign in again."),
        "refresh-token-reused": Meaning(
            .sessionExpired, "The refresh token was used before, so the server ended the session. Sign in again."),
        "session-revoked": Meaning(
            .sessionExpired, "The session was ended by the person elsewhere, or by an administrator. Sign in again."),
        "revoked-at-provider": Meaning(
            .sessionExpired, "The person withdrew the app's access at the provider. Sign in again."),
        "user-not-found": Meaning(.userNotFound, "The account was deleted. Sign in again to make a new one."),
        "user-disabled": Meaning(.userDisabled, "The account was disabled at the server."),

        // The credential.
        "invalid-credential": Meaning(
            .invalidCredential,
            "The server refused the credential: expired, used before, or made for another app. Look at its log."),
        "nonce-mismatch": Meaning(
            .nonceMismatch, "The nonce does not fit the ID token. The server compares the raw nonce of this attempt."),
        "unsupported-provider": Meaning(
            .unsupportedProvider, "The server takes no credentials of this provider. Configure it there."),

        // A further step.
        "second-factor-required": Meaning(
            .secondFactorRequired, "The server wants a second factor, and its answer has no challenge for it."),
        "verification-required": Meaning(
            .verificationRequired, "The server wants a code, and its answer has no challenge for it."),
        "registration-required": Meaning(
            .registrationRequired, "The server wants more of a new user, and its answer has no challenge for it."),
        "additional-step-required": Meaning(
            .additionalStepRequired, "The server wants another step, and its answer has no challenge for it."),
        "invalid-code": Meaning(.codeMismatch, "The code is wrong, or was used before."),
        "code-expired": Meaning(.codeMismatch, "The code is no longer valid. Ask for another one."),
        "invalid-input": Meaning(.invalidInput, "The server refuses a value that the person entered."),
        "challenge-expired": Meaning(.timedOut, "The answer came too late for the server. Start over."),
        "too-many-attempts": Meaning(
            .accessDenied, "There were too many wrong answers, so the server takes no further one. Start over."),

        // The account.
        "account-exists": Meaning(
            .accountExists, "The e-mail belongs to another account. Sign in there, then link this identity."),
        "credential-in-use": Meaning(
            .credentialInUse, "The identity belongs to another account. Sign in with it instead of linking it."),
        "last-provider": Meaning(
            .lastProvider, "It is the last identity of the user, who could never sign in again. Link another first."),
        "access-denied": Meaning(.accessDenied, "The server refuses this person. Look at its log."),
        "requires-recent-sign-in": Meaning(
            .requiresRecentSignIn, "The last sign-in is too long ago for this. Sign in again, then repeat it."),
        "invalid-access-token": Meaning(
            .invalidCredential, "The server did not take the access token. Refresh the session, then repeat it."),

        // Transport and protocol.
        "invalid-request": Meaning(
            .misconfigured, "The server does not understand the request. Compare its names with the contract's."),
        "rate-limited": Meaning(.rateLimited, "The server wants fewer requests. Try again later."),
        "provider-unavailable": Meaning(.server, "The provider that the server asks is down. Try again later."),
    ]

    /// The problem types that end a session with a specific reason.
    ///
    /// A reused refresh token is not among them: the second use may be the app's own, after a lost answer.
    static let endings: [String: SignOutReason] = [
        "session-revoked": .revoked, "revoked-at-provider": .revokedAtProvider,
    ]
}
