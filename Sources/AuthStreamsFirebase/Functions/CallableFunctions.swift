public import AuthStreams
public import Foundation

/// A client of HTTPS callable functions (<https://firebase.google.com/docs/functions/callable-reference>).
///
/// ```swift
/// let functions = CallableFunctions(project: project, at: .region(.seoul), transport: transport)
/// let result = try await functions.call("socialLogin", with: ["provider": "kakao"])
/// ```
///
/// Each call is one request; nothing is retried. Requests go only to https or to this machine, also those without an ID
/// token: a call to any other URL throws `misconfigured` before anything is sent. In debug builds
/// `DevelopmentNetwork.allowHTTP()` also allows http to a private network.
public struct CallableFunctions: Sendable {
    /// Where the functions are.
    public enum Location: Equatable, Sendable {
        /// On Google's host of a region: `https://REGION-PROJECT.cloudfunctions.net/NAME`.
        case region(FunctionsRegion)
        /// Below a domain of your own: `URL/NAME`.
        case domain(URL)
    }

    /// How a request and its answer are framed.
    public enum Framing: String, Hashable, Sendable {
        /// The form of a callable function (`onCall`): `{"data": …}`, answered by `{"result": …}` or `{"error": …}`.
        case callable
        /// The form of a plain HTTP function (`onRequest`): the data is the body, in JSON, and the body of the answer
        /// is the result, in JSON or as text.
        ///
        /// The HTTP status is the error, without a `serverCode`; the body of an error is not read, except for
        /// `{"reason": "SECOND_FACTOR_REQUIRED"}`.
        ///
        /// | HTTP status | code |
        /// | --- | --- |
        /// | 401 | `invalidCredential` |
        /// | 403 | `accessDenied` |
        /// | 409 | `accountExists` |
        /// | 429 | `rateLimited` |
        /// | 504 | `timedOut` |
        /// | 400, 404, 501 | `misconfigured` |
        /// | 3xx | `invalidResponse`: a redirect is not followed |
        /// | any other | `server` |
        ///
        /// A callable function's answer without a status of its own is read by the same table.
        case plain
    }

    let channel: FirebaseChannel
    private let location: Location
    private let timeout: Duration

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - project: The project of the functions.
    ///   - location: Where they are. An emulator has only functions of a region.
    ///   - transport: Sends the requests.
    ///   - timeout: How long a function may take; 70 seconds as in Google's SDKs.
    ///   - clock: Measures the time limit of the closure for App Check tokens.
    public init(
        project: FirebaseProject, at location: Location, transport: any AuthHTTPTransport,
        timeout: Duration = .seconds(70),
        clock: AuthClock = .system
    ) {
        channel = FirebaseChannel(project: project, transport: transport, clock: clock)
        self.location = location
        self.timeout = timeout
    }

    /// Makes a client of a region's functions.
    package init(
        project: FirebaseProject, in region: FunctionsRegion = .usCentral1, transport: any AuthHTTPTransport,
        timeout: Duration = .seconds(70), clock: AuthClock = .system
    ) {
        self.init(project: project, at: .region(region), transport: transport, timeout: timeout, clock: clock)
    }

    /// Calls a function.
    ///
    /// - Parameters:
    ///   - function: The name or URL of the function.
    ///   - data: The function's argument. Integers that a JavaScript number cannot hold are sent as `Int64Value`.
    ///   - idToken: The caller's ID token; `nil` for an anonymous call. A callable function refuses an invalid token before its
    ///     code runs; a plain one has to check it itself.
    ///   - framing: The form of the request and the answer; that of a callable function unless given.
    /// - Returns: The function's result, which may be `null`.
    /// - Throws: `AuthError`: `misconfigured` for a URL that is neither https nor on this machine, the transport's error,
    ///   `invalidResponse` for an answer of another form, or the code of the function's status, with that status in
    ///   `serverCode`, its message in `serverMessage` and its details in `serverDetails`. For an answer without a status
    ///   the HTTP status decides, without a `serverCode`; see ``Framing/plain``.
    ///
    /// | status | code |
    /// | --- | --- |
    /// | `UNAUTHENTICATED` | `invalidCredential` |
    /// | `UNAUTHENTICATED` with the framework's own message `Unauthenticated` | with an `idToken` `invalidCredential` and the server code `INVALID_ID_TOKEN`; without one `misconfigured`, since only App Check can have refused the call |
    /// | `PERMISSION_DENIED` | `accessDenied` |
    /// | `ALREADY_EXISTS` | `accountExists` |
    /// | `RESOURCE_EXHAUSTED` | `rateLimited` |
    /// | `DEADLINE_EXCEEDED` | `timedOut` |
    /// | `FAILED_PRECONDITION` with `details` of `{"reason": "SECOND_FACTOR_REQUIRED"}` | `secondFactorRequired`, with the reason as its server code |
    /// | `INVALID_ARGUMENT`, `OUT_OF_RANGE`, `FAILED_PRECONDITION`, `NOT_FOUND`, `UNIMPLEMENTED` | `misconfigured` |
    /// | `CANCELLED`, `UNKNOWN`, `INTERNAL`, `UNAVAILABLE`, `ABORTED`, `DATA_LOSS`, any other | `server` |
    public func call(
        _ function: CallableFunction, with data: AuthJSON = .null, idToken: Secret? = nil, framing: Framing = .callable
    ) async throws(AuthError) -> AuthJSON {
        let url = try self.url(of: function)
        var headers: [HeaderName: String] = [.contentType: "application/json", .accept: "application/json"]
        if let idToken { headers[.authorization] = "Bearer \(idToken.reveal())" }
        let given = framing == .plain ? data : ["data": CallableNumbers.wrapped(data)]
        let body = try FirebaseChannel.encode(given)
        let answer = try await channel.send(AuthHTTPRequest(.post, url, headers: headers, body: body, timeout: timeout))
        if framing == .plain { return try CallableResponse(plain: answer.response).result }
        return try CallableResponse(answer, idToken: idToken).result
    }

    /// Returns the URL of a function.
    ///
    /// - Throws: `misconfigured` if the project's property list could not be used, or a name has characters that no
    ///   function, region or project has: in a host name they could lead to another host.
    func url(of function: CallableFunction) throws(AuthError) -> URL {
        try channel.project.requirePlist()
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
