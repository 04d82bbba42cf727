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

    private typealias Acts = [(process: Int, act: Act)]

    private static func acts(_ here: Int, _ there: Int, _ plan: Plan, _ chance: inout Chance) -> Acts {
        let refresh = Act.token(callers: chance.pick(1, 3), force: true)
        let somebody = Act.signIn(Identity(chance.below(plan.persons)))
        var encounters: [Acts] =
            plan.processes == 1
            ? [
                // The process dies with an answer.
                [(here, refresh), (here, .kill(500)), (here, refresh)],
                // The store fails, and what could not be written meets the next decision.
                [
                    (here, .failWrites(5000)), (here, refresh), (here, refresh),
                    (here, .token(callers: 3, force: false)),
                ],
                [(here, .failWrites(500)), (here, refresh), (here, .revoke(user: 0)), (here, refresh)],
                [(here, .failWrites(1000)), (here, somebody), (here, chance.pick(.signOut, somebody))],
                // Another user signs in while a token is replaced.
                [(here, .use), (here, .revoke(user: 0)), (here, somebody), (here, refresh)],
            ]
            : [
                // The same user, or another, signs in while a refresh is under way.
                [(here, refresh), (there, .signIn(Identity(0)))], [(there, somebody), (here, refresh)],
                [(here, .failWrites(1000)), (here, somebody), (there, somebody)],
                // What was signed out of while the store was out of reach, and what came after.
                [(here, .lock(5000)), (here, .signOut), (there, somebody)],
            ]
        if plan.isAboutAccounts {
            let link = Act.link(Identity(0, at: .google))
            encounters +=
                plan.processes == 1
                ? [
                    [(here, .deleteAccount), (here, .signIn(Identity(1)))],
                    [(here, .signIn(Identity(1))), (here, .deleteAccount)],
                    [(here, .data(.moody)), (here, .signOut), (here, .signIn(Identity(1)))],
                ]
                : [
                    [(here, link), (there, .signIn(Identity(0)))], [(there, .signIn(Identity(0))), (here, link)],
                    [(there, .signIn(Identity(0))), (here, link)],
                ]
        }
        return encounters[chance.below(encounters.count)]
    }

    /// The same step so much later.
    func later(by delay: Milliseconds) -> Step { Step(time: time + delay, process: process, act: act) }
}
