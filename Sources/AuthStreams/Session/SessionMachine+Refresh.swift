import Foundation

/// Which access token somebody wants.
enum TokenDemand: Sendable {
    /// One that is good.
    case good
    /// A new one.
    case new
    /// One other than this, which a server refused.
    case replacing(Secret)
}

/// An access token, and the uptime from which it is not handed out any more; `nil` for never.
struct HandyToken: Sendable {
    let token: Secret
    let end: Duration?
}

extension SessionMachine {
    /// What somebody who wants a token is told.
    enum TokenAnswer: Sendable {
        case token(Secret)
        /// It comes of a refresh.
        case refresh
        case nobody
        /// The session is still being taken over from another SDK.
        case adopting
        /// It was refreshed, and the store failed; only once it is stored anybody is given it.
        case unstored
        /// The server asked to be left alone for so long.
        case held(Duration)
        /// There is no refresh token to get a newer one with.
        case onlyOne
    }

    /// What is handed out while it is good; `nil` when there is nothing, or not yet.
    var handyToken: HandyToken? {
        guard let session, adoption == nil, !isUnstored else { return nil }
        return HandyToken(token: session.accessToken, end: life.end)
    }

    func token(at uptime: Duration, for demand: TokenDemand) -> TokenAnswer {
        guard let session else { return .nobody }
        if isUnstored { return .unstored }
        let isGood = !life.isOver(at: uptime)
        switch demand {
        case .good where isGood: return .token(session.accessToken)
        case .replacing(let refused) where isGood && refused != session.accessToken: return .token(session.accessToken)
        default: break
        }
        if adoption != nil { return .adopting }
        // It lasts as long as its token. Asking the repository would end it, which is for its end alone.
        if isGood, session.refreshToken?.present == nil { return .onlyOne }
        if let held = retry.heldUntil, uptime < held, !isRefreshing { return .held(held - uptime) }
        return .refresh
    }

    /// When the session is to be refreshed next, without anybody asking; `nil` for not at all.
    var refreshDue: Duration? {
        guard let session, adoption == nil, !isRefreshing, !isUnstored, session.refreshToken?.present != nil else {
            return nil
        }
        // After a failure it goes on until the server has confirmed it.
        return retry.notBefore ?? life.due
    }

    /// A refresh begins.
    mutating func refreshBegan() { isRefreshing = true }

    /// A refresh ended, or a change of the session did: this is what is present now.
    ///
    /// - Parameters:
    ///   - isStored: Whether the store holds it.
    ///   - isAnswer: Whether it is the answer to a refresh. A change's may bring a token too, and pays no such debt.
    /// - Returns: Whether it counts: not when the generation is over.
    mutating func refreshed(
        _ next: Session, at now: Moment, isStored: Bool, isAnswer: Bool = true, in generation: UInt64
    ) -> Bool {
        guard generation == self.generation, session != nil, adoption == nil else { return false }
        let isRotated = session?.refreshToken != next.refreshToken
        isUnanswered = isUnanswered && !isRotated && !isAnswer
        savedAt = savedAt(of: next, at: now.date)
        // How long the token before is good is known by the uptime, whatever the date is by now.
        let isSame = session?.accessToken == next.accessToken && session?.expiresAt == next.expiresAt
        if !isSame { life = TokenLife(of: next, at: now) }
        session = next
        freshness = .verified
        retry = RefreshRetry()
        isRefreshing = false
        isUnstored = !isStored && (isRotated || isUnstored)
        return true
    }

    /// A refresh ended without a session, which ends nothing.
    ///
    /// - Returns: How long nobody asks by itself; `nil` when the generation is over.
    mutating func refreshFailed(_ error: AuthError, at now: Moment, in generation: UInt64) -> Duration? {
        guard generation == self.generation, let session else { return nil }
        isRefreshing = false
        let delay = retry.failed(error, spreadBy: session.refreshToken, at: now.uptime)
        if case .offline = freshness { return delay }
        freshness = .offline(since: now.date)
        return delay
    }

    /// A refresh was not needed: another process was first.
    mutating func refreshSpared(in generation: UInt64) {
        guard generation == self.generation else { return }
        isRefreshing = false
    }

    /// A request is about to be sent whose answer might get lost; or such a request is known not to have been sent.
    mutating func answerIs(_ isOwed: Bool, in generation: UInt64) {
        if generation == self.generation { isUnanswered = isOwed }
    }

    /// What was refreshed is in the store now.
    mutating func wasStored() {
        guard isUnstored else { return }
        isUnstored = false
        retry = RefreshRetry()
        // What failed was the store: the server had confirmed it.
        if case .offline = freshness { freshness = .verified }
    }

    /// The store holds something else than this process wrote: another process did.
    mutating func changedElsewhere(_ record: SessionRecord?, at now: Moment) {
        switch record?.kept {
        case .established(let theirs)?:
            let life = TokenLife(of: theirs, storedAt: record?.savedAt, at: now)
            // A refresh under way goes on, also when it is a later sign-in's: its answer replaces only the tokens that were sent.
            if let session, adoption == nil, session.user.id == theirs.user.id {
                let isOnlyNoted =
                    session.accessToken == theirs.accessToken && session.refreshToken == theirs.refreshToken
                self.session = theirs
                signedInAt = record?.signedInAt
                wasStored()
                // That another process is about to ask says nothing yet: whoever failed waits on.
                if !isOnlyNoted {
                    self.life = life
                    savedAt = record?.savedAt
                    retry = RefreshRetry()
                    if case .offline = freshness { freshness = .verified }
                }
            } else {
                replace(
                    theirs, freshness: .cached, life: life, signedInAt: record?.signedInAt, savedAt: record?.savedAt)
            }
            isUnanswered = record?.isUnanswered ?? false
        case .adoptable(let theirs)?:
            // Both take over the same; what one has sent is owed to the other, too.
            if theirs.refreshToken == adoption?.refreshToken { isUnanswered = record?.isUnanswered ?? false }
        case nil:
            guard session != nil || adoption != nil else { return }
            let attempt = attempt
            // A sign-in under way here is another session's. A committed one is being written, so nothing is read meanwhile.
            _ = signedOut(.elsewhere)
            self.attempt = attempt
        }
    }
}
