extension Suite {
    /// The hash of a sign-in's secrets.
    static var hashes: [Measure] {
        [(43, 500.0, 250.0), (64, 1000, 500)].map { bytes, must, aim in
            Measure("sha256-\(bytes)") { rounds in
                let samples = await rounds.interleave([{ HashCost.cost(of: bytes, rounds.scaled(100_000)) }])
                return [
                    Row(
                        "sha256-\(bytes)", "SHA-256 of \(bytes) bytes", unit: "ns", ours: samples[0],
                        .atMost(must: must, aim: aim))
                ]
            }
        }
    }
}
