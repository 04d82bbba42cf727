public import Foundation

/// A callable function: by its name, or by a URL of its own, which second-generation functions have.
public struct CallableFunction: Hashable, Sendable, ExpressibleByStringLiteral {
    enum Place: Hashable, Sendable {
        case name(String)
        case url(URL)
    }
    let place: Place

    /// A function by its name, which its region or domain completes.
    public static func named(_ name: String) -> Self { Self(place: .name(name)) }

    /// A function by its whole URL, taken as it is.
    public static func url(_ url: URL) -> Self { Self(place: .url(url)) }

    private init(place: Place) {
        self.place = place
    }

    /// A function by its literal name.
    public init(stringLiteral value: String) {
        place = .name(value)
    }
}

/// A Google Cloud region in which functions run.
public struct FunctionsRegion: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The region's name, such as `asia-northeast3`.
    public let rawValue: String

    /// Names a region.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Names a region.
    public init(_ name: String) {
        rawValue = name
    }

    /// Names a region by a literal.
    public init(stringLiteral value: String) {
        rawValue = value
    }

    /// Iowa, the region of functions that name none.
    public static let usCentral1: Self = "us-central1"
    /// Seoul.
    public static let seoul: Self = "asia-northeast3"
}
