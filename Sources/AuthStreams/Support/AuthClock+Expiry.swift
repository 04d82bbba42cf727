package import Foundation

extension AuthClock {
    /// When something that begins now is over; `nil` when nobody said how long it lasts.
    package func expiry(after lifetime: Duration?) -> Date? {
        lifetime.map { date.addingTimeInterval($0 / .seconds(1)) }
    }
}
