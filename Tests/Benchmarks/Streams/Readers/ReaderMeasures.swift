extension Suite {
    /// Becoming a reader and ceasing to be one.
    static func readers<Ours>(_ ours: Contestant<Ours>) -> [Measure] {
        [
            reader(
                ours, "iterator", "making an iterator", IteratorMaking.init, 1000, .atLeast(must: 5, aim: 12)),
            reader(
                ours, "first", "spawn, subscribe, first value", FirstValue.init, 1000,
                .atLeast(must: 1.7, aim: 2.4)),
            reader(ours, "cancel", "cancel, 1000 readers", Cancellation.init, 1000, .atLeast(must: 1.2, aim: 1.5)),
        ]
    }

    private static func reader<Ours>(
        _ ours: Contestant<Ours>, _ name: String, _ title: String,
        _ workload: @escaping @Sendable (Int) -> some Workload, _ readers: Int, _ bound: Bound
    ) -> Measure {
        let id = "\(ours.prefix)\(name)"
        return Measure(id) { rounds in
            let comparison = await rounds.compare(workload(rounds.crowd(readers)), ours)
            return [
                Row(
                    id, "\(ours.title), \(title)", unit: "ns/reader", comparison, against: .better, bound)
            ]
        }
    }

    /// What a reader that waits costs beyond its task.
    static func memory<Ours>(_ ours: Contestant<Ours>) -> Measure {
        let id = "\(ours.prefix)memory"
        let quantity = "\(ours.title), memory of an idle reader"
        let bound = Bound.atMost(must: 256, aim: 128)
        return Measure(id) { rounds in
            guard HeapUse.bytes() != nil else {
                return [Row(id, quantity, notMeasured: "Needs malloc_info of the GNU C library.", bound)]
            }
            let readers = rounds.crowd(100_000)
            let memory = IdleMemory(readers: readers)
            let samples = await rounds.interleave(
                rounds.contenders(memory, ours) + [{ await memory.cost(on: BareTasks(readers: readers)) }])
            let bare = samples[3].median ?? .nan
            var row = Row(id, quantity, unit: "B/reader", ours: samples[0].map { $0 - bare }, bound)
            row.rivals = [.newest: samples[1].map { $0 - bare }, .unbounded: samples[2].map { $0 - bare }]
            row.note = "\(readers) readers; beyond a task parked on a bare continuation (\(bare.short) B)"
            return [row]
        }
    }
}
