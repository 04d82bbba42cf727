public import Foundation

/// developer.apple.com/documentation/foundation/nsuseractivitytypebrowsingweb
@available(macOS 10.10, iOS 8.0, tvOS 9.0, watchOS 2.0, *)
public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"

/// developer.apple.com/documentation/foundation/nsuseractivity
@available(macOS 10.10, iOS 8.0, tvOS 9.0, watchOS 2.0, *)
open class NSUserActivity: NSObject {
    open private(set) var activityType: String
    open var webpageURL: URL?
    open var userInfo: [AnyHashable: Any]?

    public init(activityType: String) {
        self.activityType = activityType
    }
}
