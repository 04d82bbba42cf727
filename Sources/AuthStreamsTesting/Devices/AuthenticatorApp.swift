public import AuthStreams
public import Foundation

/// An authenticator app: computes the codes of a secret (RFC 6238 with SHA-1, six digits and steps of thirty seconds).
///
/// ```swift
/// guard let enrollment = prompt.enrollment, let app = AuthenticatorApp(scanning: enrollment.url) else { … }
/// enrollment.confirm(app.code(at: clock.date))
/// ```
public struct AuthenticatorApp: Sendable {
    private let key: [UInt8]

    /// Makes an app with a secret.
    ///
    /// - Parameter secret: The secret in Base32 (RFC 4648), in any case, without padding; `nil` for any other text.
    public init?(secret: Secret) {
        guard let key = Self.decode(secret.reveal()), !key.isEmpty else { return nil }
        self.key = key
    }

    /// Makes an app by the URL of an enrollment, as the app does that scans its QR code.
    ///
    /// - Parameter url: The URL, `otpauth://totp/…`; `nil` for any other text, and for codes of another algorithm, length or period.
    public init?(scanning url: Secret) {
        let parts = URLComponents(string: url.reveal())
        guard let items = parts?.queryItems, parts?.scheme == "otpauth", parts?.host == "totp",
            let secret = items.first(where: { $0.name == "secret" })?.value
        else { return nil }
        let computed = ["algorithm": "SHA1", "digits": "6", "period": "30"]
        guard items.allSatisfy({ computed[$0.name] ?? $0.value == $0.value }) else { return nil }
        self.init(secret: Secret(secret))
    }

    /// The code that the app shows at a date.
    public func code(at date: Date) -> String { code(ofStep: Self.step(of: date)) }

    /// The step that accepts a code: the one of the date, the one before or the one after, but none up to a used one.
    ///
    /// - Parameter used: The last step whose code was accepted. A code works once (RFC 6238 section 5.2).
    func step(of code: String, at date: Date, after used: Int64?) -> Int64? {
        let now = Self.step(of: date)
        return (now - 1...now + 1).first { $0 > used ?? .min && self.code(ofStep: $0) == code }
    }

    private static func step(of date: Date) -> Int64 { Int64((date.timeIntervalSince1970 / 30).rounded(.down)) }

    /// The truncated hash of a counter (RFC 4226 section 5.3).
    func code(ofStep step: Int64, digits: Int = 6) -> String {
        let hash = SHA1.authenticationCode(
            of: (0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * $0)) }, key: key)
        let offset = Int(hash[19] & 15)
        let number = hash[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text.suffix(digits)
    }

    /// Makes a random secret of 160 bits, the length that RFC 4226 recommends.
    static func makeSecret() -> Secret { Secret(encode((0..<20).map { _ in UInt8.random(in: .min ... .max) })) }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        let bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
        return String(
            decoding: stride(from: 0, to: bits.count, by: 5).map { start in
                alphabet[(start..<start + 5).reduce(0) { $0 << 1 | Int($1 < bits.count ? bits[$1] : 0) }]
            }, as: UTF8.self)
    }

    private static func decode(_ text: String) -> [UInt8]? {
        let values = text.uppercased().utf8.map { alphabet.firstIndex(of: $0) }
        guard !values.contains(nil) else { return nil }
        let bits = values.compactMap(\.self).flatMap { value in (0..<5).map { UInt8(value >> (4 - $0) & 1) } }
        return (0..<bits.count / 8).map { index in bits[index * 8..<index * 8 + 8].reduce(0) { $0 << 1 | $1 } }
    }
}

extension AuthenticatorApp: DescriptionOnly {
    /// A fixed text without the secret.
    public var description: String { "authenticator app" }
}

/// SHA-1 (FIPS 180-4 section 6.1) and HMAC (RFC 2104), for the codes of authenticator apps alone.
enum SHA1 {
    static func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        let key = key.count > 64 ? hash(key) : key
        let block = key + [UInt8](repeating: 0, count: 64 - key.count)
        return hash(block.map { $0 ^ 0x5C } + hash(block.map { $0 ^ 0x36 } + message))
    }

    static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var message = bytes + [0x80]
        while message.count % 64 != 56 { message.append(0) }
        message += (0..<8).map { UInt8(truncatingIfNeeded: (bytes.count * 8) >> (56 - 8 * $0)) }
        var hash: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        for start in stride(from: 0, to: message.count, by: 64) { compress(message[start..<start + 64], into: &hash) }
        return hash.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
    }

    private static func compress(_ block: ArraySlice<UInt8>, into hash: inout [UInt32]) {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { index in
            block[index..<index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for t in 16..<80 { words.append(rotated(words[t - 3] ^ words[t - 8] ^ words[t - 14] ^ words[t - 16], 1)) }
        var (a, b, c, d, e) = (hash[0], hash[1], hash[2], hash[3], hash[4])
        for (t, word) in words.enumerated() {
            let (mix, constant): (UInt32, UInt32) =
                switch t {
                case ..<20: (b & c | ~b & d, 0x5A82_7999)
                case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            (a, b, c, d, e) = (rotated(a, 5) &+ mix &+ e &+ constant &+ word, a, rotated(b, 30), c, d)
        }
        for (index, word) in [a, b, c, d, e].enumerated() { hash[index] &+= word }
    }

    private static func rotated(_ word: UInt32, _ count: Int) -> UInt32 { word << count | word >> (32 - count) }
}
