import Foundation

/// What the emulator needs of cryptography, over the package's own.
enum EmulatorCrypto {
    static var isAvailable: Bool { false }

    static func rs256(_ input: Data) -> Data? { nil }

    static func isRS256(_ signature: Data, of input: Data) -> Bool { false }

    static func sha256(_ text: String) -> Data { Data() }
}
