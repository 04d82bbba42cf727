package import Foundation

extension AuthClock {
    /// Returns the date at which a lifetime that begins now ends; `nil` if the lifetime is not known.
    package func expiry(after lifetime: Duration?) -> Date? {
        lifetime.map { date.addingTimeInterval($0 / .seconds(1)) }
    }
}
