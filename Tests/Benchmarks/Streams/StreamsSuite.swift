extension Suite {
    /// Broadcasts, attempts and operators.
    static let streams = Suite(
        name: "streams", summary: "broadcasts, states, attempts and operators, beside AsyncStream",
        introduction: "Ours beside one AsyncStream per reader behind a lock, bufferingNewest(1) and unbounded",
        rivals: [.newest, .unbounded]
    ) { options in
        lockstep(.broadcast, options.readers) + bursts(.broadcast) + [conflatedBurst(.latest)]
            + [allocations(.broadcast), Measure.instructions(.ours), growth(.broadcast), memory(.broadcast)]
            + readers(.broadcast) + [latency(.broadcast), onActor(.broadcast), unheardEmission(.broadcast)]
            + lockstep(.states, options.readers) + bursts(.states)
            + [allocations(.states), Measure.instructions(.states), growth(.states), memory(.states)]
            + readers(.states) + [latency(.states), onActor(.states), unheardEmission(.states)]
            + attempts + operators + hashes
    }
}
