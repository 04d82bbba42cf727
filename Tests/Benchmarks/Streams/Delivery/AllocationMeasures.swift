extension Suite {
    /// What a delivery and an emission allocate.
    static func allocations<Ours>(_ ours: Contestant<Ours>) -> Measure {
        let delivery = "\(ours.prefix)allocations-delivery"
        let emission = "\(ours.prefix)allocations-emission"
        let titles = ["\(ours.title), allocations of a delivery", "\(ours.title), allocations of an emission"]
        let bounds = [Bound.atMost(must: 0, aim: 0), .atMost(must: 1, aim: 1)]
        return Measure(delivery, emission) { rounds in
            guard await AllocationCounter.isTrustworthy() else {
                return zip([delivery, emission], zip(titles, bounds)).map { id, row in
                    Row(id, row.0, notMeasured: AllocationCounter.doubt, row.1)
                }
            }
            let (few, many) = (rounds.isSmoke ? 2 : 100, rounds.isSmoke ? 5 : 1000)
            let contenders = [few, many].flatMap { readers in
                rounds.contenders(Lockstep(counting: readers, in: rounds), ours)
            }
            let samples = await AllocationCounter.counting {
                await rounds.interleave(contenders.map { contender in { onOneThread(contender) } })
            }
            let counts = (0..<3).map { index in
                Allocations(few: samples[index], of: few, many: samples[index + 3], of: many)
            }
            var deliveryRow = Row(delivery, titles[0], unit: "per delivery", ours: counts[0].ofDelivery, bounds[0])
            var emissionRow = Row(emission, titles[1], unit: "per emission", ours: counts[0].ofEmission, bounds[1])
            deliveryRow.rivals = [.newest: counts[1].ofDelivery, .unbounded: counts[2].ofDelivery]
            emissionRow.rivals = [.newest: counts[1].ofEmission, .unbounded: counts[2].ofEmission]
            return [deliveryRow, emissionRow]
        }
    }
}

/// Tells the allocations that each reader adds from those that an emission makes anyway.
private struct Allocations {
    let ofDelivery: Samples
    let ofEmission: Samples

    /// From the allocations of a delivery, in lockstep with few and with many readers.
    init(few: Samples, of fewReaders: Int, many: Samples, of manyReaders: Int) {
        let (fewReaders, manyReaders) = (Double(fewReaders), Double(manyReaders))
        var (delivery, emission) = (Samples(), Samples())
        for (few, many) in zip(few.values, many.values) {
            let each = (many * manyReaders - few * fewReaders) / (manyReaders - fewReaders)
            delivery.add(each.roundedToHundredths)
            emission.add(((few - each) * fewReaders).roundedToHundredths)
        }
        (ofDelivery, ofEmission) = (delivery, emission)
    }
}

extension Double {
    /// An array that grows once in a thousand turns is nobody's allocation.
    var roundedToHundredths: Double {
        let rounded = (self * 100).rounded() / 100
        return rounded == 0 ? 0 : rounded
    }
}

extension Lockstep {
    fileprivate init(counting readers: Int, in rounds: Rounds) {
        self.init(readers: readers, emissions: rounds.scaled(2000))
        meter = AllocationCounter.meter
    }
}
