package import Foundation

/// One moment by both clocks: the date, which may be wrong or be changed, and the uptime, which only increases.
package struct Timestamp: Hashable, Sendable {
    package let date: Date
    package let uptime: Duration

    package init(date: Date, uptime: Duration) {
        self.date = date
        self.uptime = uptime
    }
}

extension AuthClock {
    var moment: Timestamp { Timestamp(date: date, uptime: uptime) }
}
