#if AUTH_CORE_IMAGE
    import AuthStreams
    import CoreImage
    import Foundation

    enum QRCode {
        /// A picture with one point for each module, to be drawn larger without smoothing.
        ///
        /// - Returns: `nil` for a text that is too long for a QR code.
        static func image(of text: Secret) -> CGImage? {
            let parameters: [String: Any] = [
                "inputMessage": Data(text.reveal().utf8), "inputCorrectionLevel": "M",
            ]
            let filter = CIFilter(name: "CIQRCodeGenerator", parameters: parameters)
            return filter?.outputImage.flatMap { CIContext().createCGImage($0, from: $0.extent) }
        }
    }
#endif
