public import Foundation

extension FileManager {
    /// developer.apple.com/documentation/foundation/filemanager/containerurl(forsecurityapplicationgroupidentifier:)
    @available(macOS 10.8, iOS 7.0, tvOS 9.0, watchOS 2.0, *)
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
        AppleDevice.appGroups[groupIdentifier]
    }
}

extension AppleDevice {
    private static let containers: Locked<[String: URL]> = {
        let containers = Locked<[String: URL]>([:])
        onReset { containers.withLock { $0 = [:] } }
        return containers
    }()

    /// The folders of the app groups that the app is entitled to.
    public static var appGroups: [String: URL] {
        get { containers.withLock { $0 } }
        set { containers.withLock { $0 = newValue } }
    }
}
