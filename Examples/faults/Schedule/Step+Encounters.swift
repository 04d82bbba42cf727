import AuthStreams

/// Steps that matter only when they meet, which chance alone rarely brings about.
extension Step {
    /// Draws some steps of which each comes while the one before is under way.
    static func encounter(after time: Milliseconds, of plan: Plan, _ chance: inout Chance) -> [Step] {
        let here = chance.below(plan.processes)
        let there = (here + 1) % plan.processes
        var time = time
        return acts(here, there, plan, &chance).map { process, act in
            time += chance.pick(0, 0, 500, 500 * chance.below(2 + plan.latency / 250))
            return Step(time: time, process: process, act: act)
        }
    }

    private static func acts(
        _ here: Int, _ there: Int, _ plan: Plan, _ chance: inout Chance
    ) -> [(process: Int, act: Act)] {
        let refresh = Act.token(callers: chance.pick(1, 3), force: true)
        let somebody = Act.signIn(Identity(chance.below(plan.persons)))
        return switch chance.below(plan.isAboutAccounts ? 10 : 7) {
        // The same user, or another, signs in while a refresh is under way.
        case 0: [(here, refresh), (there, somebody)]
        case 1: [(here, .use), (here, .revoke(user: 0)), (here, somebody), (here, refresh)]
        // The process dies with an answer.
        case 2: [(here, refresh), (here, .kill(500)), (here, refresh)]
        // The store fails, and what could not be written meets the next decision.
        case 3: [(here, .failWrites(5000)), (here, refresh), (here, refresh), (here, .token(callers: 3, force: false))]
        case 4: [(here, .failWrites(500)), (here, refresh), (here, .revoke(user: 0)), (here, refresh)]
        case 5:
            [(here, .failWrites(1000)), (here, somebody), (there, somebody), (here, chance.pick(.signOut, somebody))]
        // What was signed out of while the store was out of reach, and what came after.
        case 6: [(here, .lock(5000)), (here, .signOut), (there, somebody)]
        // The account changes while another process, or another user, comes in between.
        case 7: [(here, .link(Identity(0, at: .google))), (there, .signIn(Identity(0)))]
        case 8: [(here, .deleteAccount), (chance.pick(here, there), .signIn(Identity(1)))]
        default: [(here, .data(.moody)), (here, .signOut), (here, .signIn(Identity(1)))]
        }
    }

    /// The same step so much later.
    func later(by delay: Milliseconds) -> Step { Step(time: time + delay, process: process, act: act) }
}
