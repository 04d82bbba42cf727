/// Chance that is the same in every run with the same seed (SplitMix64).
///
/// Everything that a schedule leaves open is drawn here, so the seed is the schedule.
struct Chance: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// The seed of one schedule of many.
    static func seed(_ seed: UInt64, schedule: Int) -> UInt64 {
        var chance = Chance(seed: seed ^ (UInt64(schedule) &* 0xd134_2543_de82_ef95))
        return chance.next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// A number from zero up to, and without, the bound.
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    /// Whether something happens that happens once in so many times; never for zero.
    mutating func oneIn(_ times: Int) -> Bool { times > 0 && below(times) == 0 }

    /// One of the elements.
    mutating func pick<Element>(_ first: Element, _ others: Element...) -> Element {
        let index = below(others.count + 1)
        return index == 0 ? first : others[index - 1]
    }
}
