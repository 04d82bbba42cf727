/// What one server refused so far, and what its next refusal is worth.
///
/// A server may refuse for ever, or at one path for ever, where every new token is refused too; and it may refuse because a
/// token is over. Only the second is worth a refresh, and from outside they look alike.
struct UnauthorizedPolicy {
    /// What a refusal is worth.
    enum Action {
        case nothing
        /// A look at whether there is another token by now.
        case look
        case refresh
    }

    /// The last token that was new and refused all the same.
    private var rejected: RejectedToken?
    /// What began a refresh, since which the server has taken no newer token.
    private var first: Bearer?
    /// What the server took last.
    private var taken: Secret?

    private struct RejectedToken {
        let token: Secret
        let since: Duration
        /// Whether the server took it elsewhere, so that it may be over by the next refusal.
        var wasTaken: Bool
    }

    /// How long it takes until a token that was refused in vain, and taken elsewhere, is worth another refresh.
    private static let pause = Duration.seconds(60)

    /// The server took a token.
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
