import AuthStreams
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsOAuth

@Suite struct RandomBytesTests {
    @Test func bytesComeFromTheGeneratorGiven() {
        var first = SeededGenerator(seed: 1)
        var second = SeededGenerator(seed: 1)
        let text = RandomBytes.base64URL(count: 32, using: &first)
        #expect(Array(Base64URL.decode(text) ?? Data()) == RandomBytes.bytes(count: 32, using: &second))
        #expect(RandomBytes.base64URL(count: 32, using: &first) != text)
    }

    @Test(arguments: [(-1, 0), (0, 0), (1, 2), (16, 22), (32, 43), (96, 128)])
    func lengthIsThatOfTheEncoding(count: Int, characters: Int) {
        #expect(RandomBytes.base64URL(count: count).utf8.count == characters)
    }

    @Test func systemGeneratorDoesNotRepeatItself() {
        #expect(Set((0..<1_000).map { _ in RandomBytes.base64URL(count: 16) }).count == 1_000)
    }

    @Test func everyValueOfAByteOccurs() {
        var generator = SeededGenerator(seed: 7)
        #expect(Set(RandomBytes.bytes(count: 10_000, using: &generator)).count == 256)
    }
}
