extension Suite {
    /// Instructions alone.
    static let instructions = Suite(
        name: "instructions", summary: "the instructions of a delivery, counted by valgrind",
        introduction: streams.introduction, rivals: streams.rivals
    ) { _ in [.instructions(.ours), .instructions(.states)] }
}

extension Measure {
    /// The instructions of a delivery to 100 readers.
    static func instructions(_ contender: Load.Contender) -> Measure {
        let isStates = contender == .states
        let id = isStates ? "states-instructions" : "instructions"
        let quantity = "\(isStates ? "AuthStates" : "Broadcast<Int>"), instructions, 100 readers"
        let bound = Bound.atMost(must: 6000, aim: 4000)
        return Measure(id) { rounds in
            do throws(Callgrind.Obstacle) {
                let callgrind = try Callgrind()
                let counts = try [contender, .newest, .unbounded].map { contender throws(Callgrind.Obstacle) in
                    Samples([try callgrind.instructionsPerDelivery(contender, in: rounds)])
                }
                var row = Row(id, quantity, unit: "per delivery", ours: counts[0], bound)
                row.rivals = [.newest: counts[1], .unbounded: counts[2]]
                return [row]
            } catch {
                return [Row(id, quantity, notMeasured: error.reason, bound)]
            }
        }
    }
}
