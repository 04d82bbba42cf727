// What Foundation and Dispatch have on Apple's systems, and other modules or none on Linux. Every file imports it.
public import Dispatch
public import Foundation
@_exported public import FoundationNetworking

/// developer.apple.com/documentation/dispatch/dispatchsourcefilesystemobject
public protocol DispatchSourceFileSystemObject: DispatchSourceProtocol {}

extension DispatchSource {
    public class func makeFileSystemObjectSource(
        fileDescriptor: Int32, eventMask: DispatchSource.FileSystemEvent, queue: DispatchQueue? = nil
    ) -> any DispatchSourceFileSystemObject { fatalError() }
}

extension URL {
    /// developer.apple.com/documentation/foundation/url/applicationsupportdirectory
    @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
    public static var applicationSupportDirectory: URL { fatalError() }
}
