/// One schedule: what is planned, who does what when, and the chance that decides everything else.
struct Schedule: Sendable {
    /// What it was drawn from, whole.
    let seed: UInt64
    let plan: Plan
    var steps: [Step]
    /// What is wrong with the world itself; `nil` for a world that keeps its own promises.
    var flaw: WorldFlaw?
    /// For what is drawn while it is played. It depends on the seed alone, so a step can be left out.
    let chance: Chance

    /// Draws a schedule.
    init(seed: UInt64) {
        self.seed = seed
        var chance = Chance(seed: seed)
        self.chance = Chance(seed: chance.next())
        var plan = Plan(&chance)
        // Drawn apart, so that a schedule without prompts stays as it is.
        var apart = Chance(seed: seed ^ 0x70726f_6d707473)
        if apart.oneIn(3) { plan.challenges = ChallengePlan(isAboutAccounts: plan.isAboutAccounts, &apart) }
        self.plan = plan
        steps = []
        // Most begin with a sign-in, or little would be at stake.
        if !chance.oneIn(plan.adoptableSession == nil ? 8 : 2) {
            let act: Step.Act = plan.isAboutAccounts && chance.oneIn(3) ? .signInAnonymously : .signIn(Identity(0))
            steps.append(Step(time: 0, process: 0, act: act))
        }
        if plan.adoptableSession != nil, chance.oneIn(2) {
            let time = 500 * chance.below(plan.latency / 100)
            steps.append(Step(time: time, process: 0, act: .kill(chance.pick(0, 500, 5000))))
        }
        var time: Milliseconds = 2 * plan.latency
        for _ in 0..<(4 + chance.below(12)) {
            let step = Step(after: time, of: plan, &chance)
            time = step.time
            steps.append(step)
        }
        for _ in 0..<chance.pick(0, 1, 2, 4) {
            let place = chance.below(steps.count)
            let encounter = Step.encounter(after: steps[place].time, of: plan, &chance)
            // What follows keeps its distance.
            let delay = (encounter.last?.time ?? steps[place].time) - steps[place].time
            steps = steps[...place] + encounter + steps[(place + 1)...].map { $0.later(by: delay) }
        }
        if plan.challenges != nil {
            for _ in 0..<(1 + apart.below(3)) {
                let time = (steps.last?.time ?? 0) + apart.pick(500, 5000, 20_000)
                steps += Step.prompts(after: time, of: plan, &apart)
            }
        }
        // Drawn apart, so that the other steps are the same with and without it: a store that fails meets an anonymous sign-in.
        var late = Chance(seed: ~seed)
        if plan.isAboutAccounts, late.oneIn(4) {
            let end = steps.last?.time ?? 0
            steps.append(Step(time: end + 10_000, process: 0, act: .signOut))
            steps.append(Step(time: end + 13_000, process: 0, act: .failWrites(5000)))
            steps.append(Step(time: end + 13_000, process: 0, act: .signInAnonymously))
            // Nothing fails after the last step.
            steps.append(Step(time: end + 20_000, process: 0, act: .read(states: 1)))
        }
    }
}
