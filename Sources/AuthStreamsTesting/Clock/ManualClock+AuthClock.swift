public import AuthStreams
public import Foundation

extension ManualClock {
    /// A clock for the library whose date moves with this one.
    ///
    /// - Parameter date: The date at this clock's beginning, not at the moment of the call: two clocks made with the
    ///   same date always agree.
    public func authClock(startingAt date: Date) -> AuthClock {
        AuthClock(self) { date.addingTimeInterval(self.now.offset / .seconds(1)) }
    }
}
