package import LoopbackHTTP

extension LoopbackServer.Limits {
    /// Time limits of an hour, so that the server waits however long a test's step takes.
    package static var patient: LoopbackServer.Limits {
        var limits = LoopbackServer.Limits()
        limits.requestTimeout = .seconds(3_600)
        limits.idleTimeout = .seconds(3_600)
        limits.lingerTimeout = .seconds(3_600)
        return limits
    }
}
