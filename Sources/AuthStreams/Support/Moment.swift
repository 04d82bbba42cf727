package import Foundation

/// One moment by both clocks: the date, which may be wrong and be set, and the uptime, which only goes on.
package struct Moment: Equatable, Sendable {
    package let date: Date
    package let uptime: Duration

    package init(date: Date, uptime: Duration) {
        self.date = date
        self.uptime = uptime
    }
}

extension AuthClock {
    var moment: Moment { Moment(date: date, uptime: uptime) }
}
