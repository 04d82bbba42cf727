extension Duration {
    /// A wait that a server asked for, as far as it is kept: from zero up to a day.
    ///
    /// Every `Retry-After` passes here once, where it is read. RFC 9110 section 10.2.3 sets no limit, and a clock traps on an
    /// instant that it cannot represent. A service that is down for longer is better asked once a day than never again.
    var asServerWait: Duration { min(max(self, .zero), .seconds(86_400)) }
}
