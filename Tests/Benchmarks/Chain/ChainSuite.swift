extension Suite {
    /// Sign-ins, whole.
    static let chain = Suite(
        name: "chain", summary: "sign-ins with each provider, beside the same HTTP calls by URLSession, and in memory",
        introduction:
            "Ours beside the same HTTP calls made bare with URLSession, each with the servers in this process",
        rivals: [.bare, .fresh]
    ) { _ in signInsOnTheWire + signInsInMemory }
}
