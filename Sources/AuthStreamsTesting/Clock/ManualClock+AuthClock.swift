public import AuthStreams
public import Foundation

extension ManualClock {
    /// Returns a clock for the library whose date moves with this one.
    ///
    /// - Parameter date: The date at this clock's start, not at the call: two clocks made with the same date always
    ///   agree.
    public func authClock(startingAt date: Date) -> AuthClock {
        AuthClock(self) { date.addingTimeInterval(self.now.offset / .seconds(1)) }
    }
}
