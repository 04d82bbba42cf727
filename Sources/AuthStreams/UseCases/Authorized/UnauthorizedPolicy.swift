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
