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
        let somebody = Act.signIn(Identity(chance.below(plan.persons)))
        let isAlone = plan.processes == 1
        let acts =
            switch (plan.isAboutAccounts && !chance.oneIn(3), isAlone) {
            case (false, true): ofOneProcess(somebody, &chance)
            case (false, false): ofTwoProcesses(somebody, &chance)
            case (true, true): ofAnAccount(&chance)
            case (true, false): ofAnAccountInTwoProcesses(&chance)
            }
        return acts.map { ($0.isHere ? here : there, $0.act) }
    }

    private typealias Parts = [(isHere: Bool, act: Act)]

    private static func ofOneProcess(_ somebody: Act, _ chance: inout Chance) -> Parts {
        let refresh = refresh(&chance)
        let acts: [Act] = chance.pick(
            // The process dies with an answer.
            [refresh, .kill(500), refresh],
            // The store fails, and what could not be written meets the next decision.
            [.failWrites(5000), refresh, refresh, .token(callers: 3, force: false)],
            [.failWrites(1000), refresh, .revoke(user: 0), refresh],
            [.revoke(user: 0), .failWrites(500), refresh],
            [.revoke(user: 0), .failWrites(500), refresh],
            [.revoke(user: 0), .failWrites(500), refresh, .read(states: 3), refresh],
            [.failWrites(1000), somebody, chance.pick(.signOut, somebody)],
            // What failed is written while the next decision is made.
            [.lock(1000), somebody, chance.pick(.signOut, somebody)],
            [.lock(500), somebody, .signOut, .signIn(Identity(0))],
            // Another user signs in while a token is replaced.
            [.use, .revoke(user: 0), somebody, refresh],
            [.signIn(Identity(1)), .revoke(user: 0), .use], [.revoke(user: 0), .signIn(Identity(1)), .use, .use])
        return acts.map { (true, $0) }
    }

    private static func ofTwoProcesses(_ somebody: Act, _ chance: inout Chance) -> Parts {
        let refresh = refresh(&chance)
        return chance.pick(
            // The same user, or another, signs in while a refresh is under way.
            [(true, refresh), (false, .signIn(Identity(0)))], [(false, somebody), (true, refresh)],
            [(true, .failWrites(1000)), (true, somebody), (false, somebody)],
            // What was signed out of while the store was out of reach, and what came after.
            [(true, .lock(5000)), (true, .signOut), (false, somebody)])
    }

    private static func ofAnAccount(_ chance: inout Chance) -> Parts {
        let acts: [Act] = chance.pick(
            // Another user signs in while the account is deleted.
            [.deleteAccount, .signIn(Identity(1))], [.deleteAccount, .signIn(Identity(1))],
            [.signIn(Identity(1)), .deleteAccount], [.signIn(Identity(1)), .revoke(user: 0), .use, .use],
            [.signIn(Identity(0)), .deleteAccount, .signIn(Identity(1)), .signIn(Identity(0)), .deleteAccount],
            [.data(.moody), .signOut, .signIn(Identity(1))])
        return acts.map { (true, $0) }
    }

    private static func ofAnAccountInTwoProcesses(_ chance: inout Chance) -> Parts {
        let link = Act.link(Identity(0, at: .google))
        return chance.pick(
            // The same user signs in while the account is changed.
            [(true, link), (false, .signIn(Identity(0)))], [(false, .signIn(Identity(0))), (true, link)],
            [(true, .deleteAccount), (false, .signIn(Identity(1)))])
    }

    /// Draws an attempt that the server may want a further step for, and what comes while the person is asked.
    static func prompts(after time: Milliseconds, of plan: Plan, _ chance: inout Chance) -> [Step] {
        let here = chance.below(plan.processes)
        let person = chance.below(plan.persons)
        let attempts: [Act] =
            plan.isAboutAccounts
            ? [
                .signIn(Identity(person)), .link(Identity(0, at: .google)), .reauthenticate(person: nil),
                .deleteAccount,
                .signIn(Identity(person, at: .google)),
            ] : [.signIn(Identity(person))]
        let attempt = attempts[chance.below(attempts.count)]
        let refresh = refresh(&chance)
        let later: Act = chance.pick(
            attempts[chance.below(attempts.count)], .signIn(Identity(chance.below(plan.persons))), .signOut, .cancel,
            refresh, .token(callers: 1, force: false), .kill(chance.pick(500, 5000)), .restart(500),
            .freeze(chance.pick(1000, 60_000, 400_000)), .offline(chance.pick(1000, 20_000)),
            .hidePrompts(500), .hidePrompts(900), .hidePrompts(5000), .presentPrompts, .lock(5000), .failWrites(5000),
            .revoke(user: person))
        let pause = plan.latency + chance.pick(500, 2000, 5000)
        var steps: [Step] = []
        var time = time
        if plan.isAboutAccounts, chance.oneIn(2) {
            steps.append(Step(time: time, process: here, act: .signIn(Identity(person))))
            time += 2 * plan.latency + 5000
        }
        steps.append(Step(time: time, process: here, act: attempt))
        steps.append(Step(time: time + pause, process: here, act: later))
        if chance.oneIn(2) {
            let act: Act = chance.pick(attempt, refresh, .signOut, .hidePrompts(5000), .kill(500))
            steps.append(
                Step(time: time + pause + chance.pick(0, 500, 5000), process: here, act: act))
        }
        return steps
    }

    private static func refresh(_ chance: inout Chance) -> Act { .token(callers: chance.pick(1, 3), force: true) }

    /// The same step so much later.
    func later(by delay: Milliseconds) -> Step { Step(time: time + delay, process: process, act: act) }
}
