public import AuthStreams
public import Foundation

/// A client of HTTPS callable functions (<https://firebase.google.com/docs/functions/callable-reference>).
///
/// ```swift
/// let functions = CallableFunctions(project: project, in: "asia-northeast3", transport: transport)
/// let result = try await functions.call("socialLogin", with: ["provider": "kakao"])
/// ```
///
/// Each call is one request; nothing is retried. An ID token and the project's header fields go only to https, or to this
/// machine.
public struct CallableFunctions: Sendable {
    /// Where the functions are.
    public enum Location: Hashable, Sendable {
        /// On Google's host of a region: `https://REGION-PROJECT.cloudfunctions.net/NAME`.
        case region(FunctionsRegion)
        /// Below a domain of your own: `URL/NAME`.
        case domain(URL)
    }

    /// How a request and its answer are framed.
    public enum Framing: String, Hashable, Sendable {
        /// As a callable function (`onCall`) has it: `{"data": …}`, answered by `{"result": …}` or `{"error": …}`.
        case callable
        /// As a plain HTTP function (`onRequest`) has it: what it is given is the body, in JSON, and what it answers the result,
        /// in JSON or as text. An error is told by the HTTP status; its body is not read, except for a second factor.
        case plain
    }

    let channel: FirebaseChannel
    private let location: Location
    private let timeout: Duration

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - project: Whose functions these are.
    ///   - location: Where they are; a project's emulator has those of a region.
    ///   - transport: The way there.
    ///   - timeout: How long a function may take; 70 seconds as in Google's SDKs.
    ///   - clock: Measures how long an App Check token takes.
    public init(
        project: FirebaseProject, at location: Location, transport: any HTTPTransport, timeout: Duration = .seconds(70),
        clock: AuthClock = .system
    ) {
        channel = FirebaseChannel(project: project, transport: transport, clock: clock)
        self.location = location
        self.timeout = timeout
    }

    /// Makes a client of a region's functions.
    public init(
        project: FirebaseProject, in region: FunctionsRegion = .usCentral1, transport: any HTTPTransport,
        timeout: Duration = .seconds(70), clock: AuthClock = .system
    ) {
        self.init(project: project, at: .region(region), transport: transport, timeout: timeout, clock: clock)
    }

    /// Calls a function.
    ///
    /// - Parameters:
    ///   - function: Its name, or its URL.
    ///   - data: What it is given. Whole numbers that a JavaScript number cannot hold travel as `Int64Value`.
    ///   - idToken: Who calls; `nil` for an anonymous call. A callable function refuses a token that does not hold before its
    ///     code runs; a plain one has to check it itself.
    ///   - framing: How the function is spoken to; as a callable one unless given.
    /// - Returns: The function's result; `null` is one.
    /// - Throws: `AuthError`: what the transport threw, `invalidResponse` for an answer of another form, or what the
    ///   function's status means, with that status in `serverCode`. An answer without one has that of its HTTP status,
    ///   and no `serverCode`.
    ///
    /// | status | code |
    /// | --- | --- |
    /// | `UNAUTHENTICATED` | `invalidCredential` |
    /// | the same with the framework's own message `Unauthenticated` | with an `idToken` `invalidCredential` and the server code `INVALID_ID_TOKEN`; without one `misconfigured`, since it can only be App Check's enforcement |
    /// | `PERMISSION_DENIED` | `accessDenied` |
    /// | `ALREADY_EXISTS` | `accountExists` |
    /// | `RESOURCE_EXHAUSTED` | `rateLimited` |
    /// | `DEADLINE_EXCEEDED` | `timedOut` |
    /// | `FAILED_PRECONDITION` with `details` of `{"reason": "SECOND_FACTOR_REQUIRED"}` | `secondFactorRequired`, with the reason as its server code |
    /// | `INVALID_ARGUMENT`, `OUT_OF_RANGE`, `FAILED_PRECONDITION`, `NOT_FOUND`, `UNIMPLEMENTED` | `misconfigured` |
    /// | `CANCELLED`, `UNKNOWN`, `INTERNAL`, `UNAVAILABLE`, `ABORTED`, `DATA_LOSS`, any other | `server` |
    public func call(
        _ function: CallableFunction, with data: JSONValue = .null, idToken: Secret? = nil, framing: Framing = .callable
    ) async throws(AuthError) -> JSONValue {
        let url = try self.url(of: function)
        var headers: [HeaderName: String] = [.contentType: "application/json", .accept: "application/json"]
        if let idToken, url.keepsSecrets { headers[.authorization] = "Bearer \(idToken.reveal())" }
        let given = framing == .plain ? data : ["data": CallableNumbers.wrapped(data)]
        let body = try FirebaseChannel.encode(given)
        let answer = try await channel.send(HTTPRequest(.post, url, headers: headers, body: body, timeout: timeout))
        if framing == .plain { return try CallableAnswer(plain: answer.response).result }
        return try CallableAnswer(answer, isAnonymous: headers[.authorization] == nil).result
    }

    /// Checks that a function may be sent a credential.
    ///
    /// - Throws: `misconfigured` for a place in the open.
    func requireSafety(of function: CallableFunction) throws(AuthError) {
        guard try url(of: function).keepsSecrets else {
            throw AuthError(
                .misconfigured, "Credentials go only to https or to this machine. Correct the function's URL.")
        }
    }

    /// Where a function is.
    ///
    /// - Throws: `misconfigured` when a name has characters that no function, region or project has: in a host name they
    ///   could lead anywhere.
    func url(of function: CallableFunction) throws(AuthError) -> URL {
        switch (function.place, location) {
        case (.url(let url), _):
            return url
        case (.name(let name), .domain(let domain)) where Self.isPlain(name):
            return domain.appending(path: name)
        case (.name(let name), .region(let region)):
            let project = channel.project
            guard Self.isPlain(name), Self.isPlain(region.rawValue), Self.isPlain(project.id),
                let url = URL(string: "https://\(region.rawValue)-\(project.id).cloudfunctions.net/\(name)")
            else { throw Self.badName }
            return project.endpoints.url(url)
        default: throw Self.badName
        }
    }

    private static var badName: AuthError {
        AuthError(
            .misconfigured,
            "A function, region or project name is empty or has other characters than letters, digits, - and _.")
    }

    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && FormCoding.escape(name) == name && !name.contains(".") && !name.contains("~")
    }
}
