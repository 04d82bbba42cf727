import AuthStreams

/// What a user may change of their account, with an access token.
extension Server {
    func link(_ identity: Identity, with token: TokenName) -> Answer {
        if let refusal = refusal(of: token) { return refusal }
        let user = user(of: token.family)
        if let owner = accounts.user(of: identity), owner != user { return .problem(409, "credential-in-use") }
        accounts.link(identity, to: user)
        return changed(token.family)
    }

    func unlink(_ provider: ProviderID, with token: TokenName) -> Answer {
        if let refusal = refusal(of: token) ?? refusalOfStale(token) { return refusal }
        let user = user(of: token.family)
        guard accounts[user].identities.contains(where: { $0.provider != provider }) else {
            return .problem(409, "last-provider")
        }
        accounts.unlink(provider, from: user)
        return changed(token.family)
    }

    func reauthenticate(_ identity: Identity, with token: TokenName) -> Answer {
        if let refusal = refusal(of: token) { return refusal }
        guard let owner = accounts.user(of: identity) else { return .problem(401, "invalid-credential") }
        guard owner == user(of: token.family) else { return .problem(409, "credential-in-use") }
        proved(token.family)
        return changed(token.family)
    }

    /// The user of a session proves who they are by a further step.
    func prove(with token: TokenName) -> Answer {
        proved(token.family)
        answered(token.family)
        return changed(token.family)
    }

    func revokeAccess(_ identity: Identity, with token: TokenName) -> Answer {
        if let refusal = refusal(of: token) { return refusal }
        let user = user(of: token.family)
        guard accounts.user(of: identity) == user else { return .problem(403, "access-denied") }
        accounts.accessIsRevoked(for: user)
        return .done
    }

    func deleteAccount(with token: TokenName) -> Answer {
        if let refusal = refusal(of: token) ?? refusalOfStale(token) { return refusal }
        let user = user(of: token.family)
        refuse(user, .userNotFound)
        return Answer(Answer.done.response, meaning: .gone(user))
    }

    func signOutEverywhere(with token: TokenName) -> Answer {
        if let refusal = refusal(of: token) { return refusal }
        revoke(user(of: token.family))
        return .done
    }

    /// What is answered to an access token that is not taken; `nil` to one that is.
    func refusal(of token: TokenName) -> Answer? {
        guard !accepts(token) else { return nil }
        guard knows(token), let code = families[token.family].ending else {
            return .problem(401, "invalid-access-token")
        }
        switch code {
        case .userNotFound: return .problem(403, Self.problem(code), meaning: .gone(user(of: token.family)))
        case .userDisabled: return .problem(403, Self.problem(code))
        // Servers differ in what they say.
        default: return .problem(401, token.family.isMultiple(of: 2) ? "invalid-access-token" : "session-expired")
        }
    }

    private func refusalOfStale(_ token: TokenName) -> Answer? {
        let age = world.now - families[token.family].provenAt
        return world.plan.wantsProof && age > 300_000 ? .problem(403, "requires-recent-sign-in") : nil
    }

    /// The answer to a change. Some servers answer it with new tokens, some with a new session beside the old one.
    private func changed(_ family: Int) -> Answer {
        let user = user(of: family)
        let story = String.json(user, accounts[user])
        switch world.plan.changes {
        case .user: return .changed(#"{"user":\#(story)}"#)
        case .accessToken:
            let access = nextAccessToken(of: family)
            var answer = Answer.changed(
                #"""
                {"accessToken":"\#(access)","expiresIn":\#(world.plan.lifetime / 1000),"user":\#(story)}
                """#)
            answer.meaning = .accessToken(access)
            return answer
        case .session:
            let next = begin(user, from: family)
            proved(next)
            if families[family].hasAnswered { answered(next) }
            return session(of: next)
        }
    }
}

/// What a server answers to a change of the account, beside the user.
enum ChangeAnswer: Hashable, Sendable {
    case user, accessToken, session
}
