import Foundation

/// One moment by both clocks: the date, which may be wrong and be set, and the uptime, which only goes on.
struct Moment: Equatable, Sendable {
    let date: Date
    let uptime: Duration
}

extension AuthClock {
    var moment: Moment { Moment(date: date, uptime: uptime) }
}
