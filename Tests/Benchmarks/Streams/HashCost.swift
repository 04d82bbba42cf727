import AuthStreamsOAuth

/// What a hash costs, in nanoseconds: a code verifier has 43 characters (RFC 7636 section 4.1), a nonce up to 64.
enum HashCost {
    static func cost(of bytes: Int, _ repetitions: Int) -> Double {
        var message = [UInt8](repeating: 0x61, count: bytes)
        let begin = Stopwatch.nanoseconds()
        for _ in 0..<repetitions {
            // Each message depends on the hash before, so none can be left out.
            message[0] = SHA256.hash(message)[0]
        }
        let end = Stopwatch.nanoseconds()
        consume(message)
        return (end - begin) / Double(repetitions)
    }
}
