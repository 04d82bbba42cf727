import CoreImage
import Foundation
import TestSupport
import Testing

@Suite struct CoreImageTests {
    private func output(of parameters: [String: Any]?) -> CIImage? {
        CIFilter(name: "CIQRCodeGenerator", parameters: parameters)?.outputImage
    }

    @Test func codeShowsItsMessage() throws {
        let message = Data("otpauth://totp/Example".utf8)
        let image = try #require(output(of: ["inputMessage": message, "inputCorrectionLevel": "H"]))
        let whole = try #require(CIContext().createCGImage(image, from: image.extent))
        #expect(whole.content == message)
        #expect(CIContext().createCGImage(image, from: CGRect(x: 0, y: 0, width: 1, height: 1)) == nil)
    }

    @Test(arguments: ["L", "M", "Q", "H"]) func levelsOfCorrectionAreApples(level: String) {
        #expect(output(of: ["inputMessage": Data("a".utf8), "inputCorrectionLevel": level]) != nil)
    }

    @Test func filterWithoutAMessageOrOfAnotherNameHasNoImage() {
        #expect(output(of: nil) == nil && output(of: ["inputMessage": "a text"]) == nil)
        #expect(output(of: ["inputMessage": Data("a".utf8), "inputCorrectionLevel": "X"]) == nil)
        #expect(CIFilter(name: "CISepiaTone", parameters: nil) == nil)
    }
}
