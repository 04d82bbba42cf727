import AuthStreams

/// An act of a person, the device or the server in a schedule, at its moment.
struct Step: Hashable, Sendable {
    /// What is done.
    enum Act: Hashable, Sendable {
        /// A person signs in, in one of the processes.
        case signIn(Identity)
        case signInAnonymously
        case signOut
        case signOutEverywhere
        case link(Identity)
        case unlink(ProviderID)
        /// The person proves their identity again, perhaps by another person's account.
        case reauthenticate(person: Int?)
        case deleteAccount
        /// A request of the app's own is sent with a token.
        case data(DataKind)
        /// Callers want an access token at once.
        case token(callers: Int, force: Bool)
        /// A caller wants the server to do something with a token, which is repeated when the token is refused.
        case use
        /// One of the calls under way is cancelled.
        case cancel
        /// The view that shows prompts goes away, and comes back that much later.
        case hidePrompts(Milliseconds)
        /// Another view that shows prompts comes.
        case presentPrompts
        /// A further reader of the states comes, and leaves after so many.
        case read(states: Int)
        /// The process dies, and is launched again that much later.
        case kill(Milliseconds)
        /// The app releases the service, and makes another that much later.
        case restart(Milliseconds)
        /// The process stands still for so long, and keeps what it holds.
        case freeze(Milliseconds)
        /// The process loses the lock that it holds.
        case loseLocks
        case offline(Milliseconds)
        /// The bytes of the session's record are damaged.
        case damage
        /// A newer version of the app writes the session's record in a form of its own, and is gone after a while.
        case newerForm(Milliseconds)
        case lock(Milliseconds)
        /// Writing fails for a while.
        case failWrites(Milliseconds)
        /// Reading fails for a while.
        case failReads(Milliseconds)
        /// The device's clock is wrong by that much from here on.
        case setClock(Milliseconds)
        /// The server ends the sessions of a user.
        case revoke(user: Int)
        case disable(user: Int)
        case delete(user: Int)
    }

    let time: Milliseconds
    let process: Int
    let act: Act
}

extension Step {
    /// The next step after the one before: mostly close to it, sometimes when tokens have expired meanwhile.
    init(after time: Milliseconds, of plan: Plan, _ chance: inout Chance) {
        self.time = time + Self.pause(plan, &chance)
        process = chance.below(plan.processes)
        act = Self.act(plan, &chance)
    }

    private static func pause(_ plan: Plan, _ chance: inout Chance) -> Milliseconds {
        switch chance.below(12) {
        case 0...4: 0
        case 5...8: 500 * chance.below(6)
        case 9: 5000 * (1 + chance.below(8))
        case 10: plan.lifetime - 500 * chance.below(240)
        default: plan.lifetime + 1000
        }
    }

    private static func act(_ plan: Plan, _ chance: inout Chance) -> Act {
        func person() -> Int { chance.below(plan.persons) }
        return switch chance.below(plan.isAboutAccounts ? 100 : 60) {
        case 0..<9: .signIn(Identity(person()))
        case 9..<14: .signOut
        case 14: chance.oneIn(2) ? .damage : .newerForm(chance.pick(500, 5000, 60_000))
        case 26..<28 where plan.losesLocks: .loseLocks
        case 15..<28: .token(callers: chance.pick(1, 1, 3), force: chance.oneIn(3))
        case 28..<31: .use
        case 31..<35: .cancel
        case 35..<37: .read(states: 1 + chance.below(6))
        case 37..<42: .kill(chance.pick(0, 500, 5000))
        case 42..<44: .restart(chance.pick(0, 500))
        case 44..<46: .offline(chance.pick(1000, 20_000, 400_000))
        case 46..<48: .freeze(chance.pick(1000, 60_000, 400_000))
        case 48..<50: .lock(chance.pick(500, 5000, 60_000))
        case 50..<53: .failWrites(chance.pick(500, 5000, 400_000))
        case 53..<54: .failReads(chance.pick(500, 5000))
        case 54..<56: .setClock(chance.pick(0, -86_400_000, 86_400_000, 600_000, -600_000))
        case 56..<58: .revoke(user: person())
        case 58: .disable(user: person())
        case 59: .delete(user: person())
        case 60..<67: .link(Identity(person(), at: chance.pick(.kakao, .google)))
        case 67..<70: .unlink(chance.pick(.kakao, .google))
        case 70..<74: .reauthenticate(person: chance.pick(nil, nil, nil, 0, 1))
        case 74..<80: .deleteAccount
        case 80..<84: .signInAnonymously
        case 84..<88: .signOutEverywhere
        case 88..<97:
            .data(chance.pick(.plain, .plain, .moody, .moody, .moody, .refusing, .forbidden, .moved, .foreign))
        default: .signIn(Identity(person(), at: .google))
        }
    }
}
