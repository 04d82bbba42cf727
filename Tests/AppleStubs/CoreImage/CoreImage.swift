public import Foundation

// Not confirmed: everything.

/// developer.apple.com/documentation/coreimage/cifilter-swift.class
@available(macOS 10.4, iOS 5.0, tvOS 9.0, *)
@available(watchOS, unavailable)
open class CIFilter: NSObject {
    private let name: String
    private let parameters: [String: Any]

    /// …/init(name:parameters:). Here only the generator of QR codes exists.
    @available(macOS 10.10, iOS 8.0, tvOS 9.0, *)
    public init?(name: String, parameters params: [String: Any]?) {
        guard name == "CIQRCodeGenerator" else { return nil }
        self.name = name
        parameters = params ?? [:]
    }

    /// …/outputimage. Without a message there is none, as with an error correction that is none of L, M, Q and H.
    @available(macOS 10.10, iOS 5.0, tvOS 9.0, *)
    open var outputImage: CIImage? {
        let correction = parameters["inputCorrectionLevel"] as? String ?? "M"
        guard let message = parameters["inputMessage"] as? Data, ["L", "M", "Q", "H"].contains(correction) else {
            return nil
        }
        return CIImage(showing: message)
    }
}

/// developer.apple.com/documentation/coreimage/ciimage
@available(macOS 10.4, iOS 5.0, tvOS 9.0, *)
@available(watchOS, unavailable)
open class CIImage: NSObject {
    let content: Data

    init(showing content: Data) { self.content = content }

    /// …/extent. The smallest QR code, with its margin.
    open var extent: CGRect { CGRect(x: 0, y: 0, width: 23, height: 23) }
}

/// developer.apple.com/documentation/coreimage/cicontext
@available(macOS 10.4, iOS 5.0, tvOS 9.0, *)
@available(watchOS, unavailable)
open class CIContext: NSObject {
    public override init() {}

    /// …/createcgimage(_:from:). Part of an image is none here.
    open func createCGImage(_ image: CIImage, from fromRect: CGRect) -> CGImage? {
        fromRect == image.extent ? CGImage(showing: image.content) : nil
    }
}
