import Foundation

extension String {
    /// The text with spaces behind it.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// The text with spaces before it.
    func aligned(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}

extension Double {
    /// Three digits that say something, and no more.
    var short: String {
        guard isFinite else { return "–" }
        let digits =
            switch magnitude {
            case 0: 0
            case ..<9.995: 2
            case ..<99.95: 1
            default: 0
            }
        let text = String(format: "%.\(digits)f", self)
        return text.hasPrefix("-") && Double(text) == 0 ? String(text.dropFirst()) : text
    }

    /// A bound as it was written.
    var plain: String { self == rounded() ? String(Int(self)) : String(self) }
}
