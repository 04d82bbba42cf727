#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Sends requests to the app's own servers as the person who is signed in.
///
/// ```swift
/// let answer = try await auth.data(for: HTTPRequest(.get, url))
/// ```
///
/// | question | answer |
/// | --- | --- |
/// | which requests? | those to the servers of ``APIAccess``; every other one is refused with `misconfigured` before anything is asked or sent |
/// | what is added? | `Authorization: Bearer …` (RFC 6750 section 2.1). A request that has such a field already is refused, too: it was written to be sent as it is |
/// | an expired token | is refreshed first, once for all callers |
/// | 401 | one refresh, shared by all callers, and one repetition. The response to that is returned as it is, 401 included |
/// | 401 to every request | costs one refresh for each server, however many callers there are: until that server has accepted a newer token, its 401 is returned without another |
/// | 401 to every request for one path, and not for another | costs one refresh a minute at most |
/// | another user signed in meanwhile | the 401 is returned as it is: no request is repeated with another user's token |
/// | redirects | are answers, and returned, on Linux without a body; the token does not follow them |
/// | the task is cancelled | `cancelled` at once; a refresh under way continues |
/// | how long? | ``HTTPRequest/timeout`` counts for each of the two requests, and not for the refresh |
public struct AuthorizedClient: Sendable {
    private let api: APIAccess
    private let bearers: any BearerSource
    /// By server, because the refusals of one say nothing about another.
    private let refusals = Lock<[Origin: UnauthorizedPolicy]>([:])

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - api: The servers that the token may be sent to.
    ///   - refreshing: The source of the token.
    public init(_ api: APIAccess, refreshing: RefreshSession) { self.init(api, bearers: refreshing) }

    init(_ api: APIAccess, bearers: any BearerSource) {
        self.api = api
        self.bearers = bearers
    }

    /// Sends a request with the access token.
    ///
    /// - Returns: The response, with any status.
    /// - Throws: ``AuthError``; `misconfigured` when the request goes to another server or has an `Authorization` or `Host`
    ///   field of its own; what ``HTTPRequest/validate()`` throws; `notSignedIn` before any request when no user is signed in;
    ///   what ``RefreshSession`` throws where a refresh is needed, and what the transport throws.
    public func data(for request: HTTPRequest) async throws(AuthError) -> HTTPResponse {
        // Also for a transport that does not: on Linux a line break in a value makes Foundation drop the token.
        try request.validate()
        let server = try api.server(of: request)
        let begin = bearers.clock.uptime
        let bearer = try await bearers.bearer()
        let answer = try await api.transport.send(request.authorized(with: bearer.token))
        guard answer.status == 401 else {
            refusals.withLock { $0[server]?.take(bearer) }
            return answer
        }
        guard let next = try await successor(of: bearer, refusedBy: server) else { return answer }
        bearers.publish(AuthEvent(.requestRepeated, elapsed: bearers.clock.uptime - begin))
        let secondAnswer = try await api.transport.send(request.authorized(with: next.token))
        refusals.withLock { refusals in
            if secondAnswer.status == 401 {
                refusals[server, default: UnauthorizedPolicy()].refuseNew(next, at: bearers.clock.uptime)
            } else {
                refusals[server]?.take(next)
            }
        }
        return secondAnswer
    }

    /// The token to repeat a request with; `nil` when repeating it makes no sense.
    private func successor(of refused: Bearer, refusedBy server: Origin) async throws(AuthError) -> Bearer? {
        let action = refusals.withLock {
            $0[server, default: UnauthorizedPolicy()].refuse(refused, at: bearers.clock.uptime)
        }
        let next: Bearer?
        switch action {
        case .nothing: return nil
        case .look: next = try await bearers.bearer()
        case .refresh: next = try await bearers.bearer(replacing: refused)
        }
        // Checked here as well: this is the line that keeps two people apart.
        guard let next, next.session == refused.session, next.token != refused.token else { return nil }
        return next
    }
}

extension AuthorizedClient {
    /// The same for a request in Foundation's words.
    public func data(for request: URLRequest) async throws(AuthError) -> HTTPResponse {
        try await data(for: HTTPRequest(request))
    }
}

/// The refusals of one server so far, and the action after its next one.
///
/// A server may refuse every request, or every request for one path, with any new token too. Or it may refuse because a token
/// has expired. Only the second needs a refresh, and the responses are alike.
struct UnauthorizedPolicy {
    /// The action after a refusal.
    enum Action {
        case nothing
        /// Check whether there is another token by now.
        case look
        case refresh
    }

    /// The last token that was new and still refused.
    private var rejected: RejectedToken?
    /// The token whose refusal began a refresh, while the server has accepted no newer one.
    private var first: Bearer?
    /// The last token that the server accepted.
    private var taken: Secret?

    private struct RejectedToken {
        let token: Secret
        let since: Duration
        /// Whether the server accepted it for another request, so that it may have expired by the next refusal.
        var wasTaken: Bool
    }

    /// The time until another refresh of a token that was refused although new, and accepted for another request.
    private static let pause = Duration.seconds(60)

    /// The server accepted a token.
    mutating func take(_ bearer: Bearer) {
        if first != bearer { first = nil }
        taken = bearer.token
        if rejected?.token == bearer.token { rejected?.wasTaken = true }
    }

    /// The server refused a token that was new.
    mutating func refuseNew(_ bearer: Bearer, at uptime: Duration) {
        guard rejected?.token != bearer.token else { return }
        rejected = RejectedToken(token: bearer.token, since: uptime, wasTaken: taken == bearer.token)
    }

    /// The server refused a token.
    mutating func refuse(_ bearer: Bearer, at uptime: Duration) -> Action {
        if let rejected, rejected.token == bearer.token {
            guard rejected.wasTaken, uptime - rejected.since >= Self.pause else { return .nothing }
        }
        if first?.session != bearer.session { first = bearer }
        // Otherwise a token that came after one that was refused, and was refused too.
        return first == bearer ? .refresh : .look
    }
}
