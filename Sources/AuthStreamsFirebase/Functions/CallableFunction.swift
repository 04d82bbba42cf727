public import Foundation

/// A callable function, by name or by URL. Second-generation functions have a URL of their own.
public struct CallableFunction: Equatable, Sendable, ExpressibleByStringLiteral {
    enum Place: Equatable, Sendable {
        case name(String)
        case url(URL)
    }
    let place: Place

    /// A function by its name, which is completed by the region or domain.
    public static func named(_ name: String) -> Self { Self(place: .name(name)) }

    /// A function by its whole URL, used unchanged.
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

    /// Makes a region.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes a region.
    package init(_ name: String) {
        rawValue = name
    }

    /// Makes a region from a literal.
    public init(stringLiteral value: String) {
        rawValue = value
    }

    /// Iowa, the default region of functions.
    public static let usCentral1: Self = "us-central1"
    /// Seoul.
    public static let seoul: Self = "asia-northeast3"
}
