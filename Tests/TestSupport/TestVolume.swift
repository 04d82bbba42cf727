import Foundation

/// How often a test repeats what one passage seldom shows, and how many of many similar cases it plays.
///
/// `swift test` plays a part, which takes little processor time. `AUTHSTREAMS_TEST_VOLUME=full swift test` plays all.
package enum TestVolume {
    package static let isFull = ProcessInfo.processInfo.environment["AUTHSTREAMS_TEST_VOLUME"] == "full"

    package static func of<Volume>(_ part: Volume, full: Volume) -> Volume { isFull ? full : part }

    /// All elements at full volume, otherwise one in `count`: the parts with the numbers from 0 to `count - 1` are disjoint, and
    /// together they have all elements.
    package static func part<Element>(_ number: Int, of count: Int, _ elements: [Element]) -> [Element] {
        isFull ? elements : elements.enumerated().filter { $0.offset % count == number }.map(\.element)
    }
}
