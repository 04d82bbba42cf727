public import Foundation

/// developer.apple.com/documentation/coregraphics/cgimage. On Apple's systems it is in CoreGraphics, which other frameworks
/// re-export.
@available(macOS 10.0, iOS 2.0, tvOS 9.0, watchOS 2.0, *)
public final class CGImage: Sendable {
    /// What the picture shows. Only of the stub.
    public let content: Data

    package init(showing content: Data) { self.content = content }
}
