import Foundation

/// developer.apple.com/documentation/objectivec/selector
///
/// Linux has no Objective-C to ask for a method: the class that has one by name answers itself.
public struct Selector: Hashable, Sendable {
    package let name: String
}

/// developer.apple.com/documentation/foundation/nsselectorfromstring(_:)
@available(macOS 10.0, iOS 2.0, tvOS 9.0, watchOS 2.0, *)
public func NSSelectorFromString(_ aSelectorName: String) -> Selector { Selector(name: aSelectorName) }
