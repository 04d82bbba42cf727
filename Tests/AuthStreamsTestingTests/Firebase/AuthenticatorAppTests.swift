import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsTesting

/// The codes of authenticator apps, by the test vectors of their standards.
@Suite struct AuthenticatorAppTests {
    /// `12345678901234567890` in Base32.
    private static let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

    /// FIPS 180-4, as in NIST's examples; RFC 3174 section 7.3.
    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
        ),
        (String(repeating: "a", count: 1000), "291e9a6c66994949b57ba5e650361e98fc36b1ba"),
    ])
    func theHashIsTheStandards(text: String, hash: String) {
        #expect(SHA256.hex(SHA1.hash(Array(text.utf8))) == hash)
    }

    /// RFC 2202 section 3.
    @Test(arguments: [
        ([UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8), "b617318655057264e28bc0b6fb378c8ef146be00"),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"
        ),
        (
            [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
            "125d7342b9ac11cd91a39af48aa17b4f63f175d3"
        ),
        (
            [UInt8](repeating: 0xAA, count: 80),
            Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "aa4ae5e15272d00e95705637ce8a3b55ed402112"
        ),
    ])
    func theAuthenticationCodeIsTheStandards(key: [UInt8], message: [UInt8], code: String) {
        #expect(SHA256.hex(SHA1.authenticationCode(of: message, key: key)) == code)
    }

    /// RFC 6238 appendix B, whose codes have eight digits.
    @Test(arguments: [
        (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"), (1_234_567_890, "89005924"),
        (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
    ])
    func theCodeIsTheStandards(seconds: Int64, code: String) throws {
        let app = try #require(AuthenticatorApp(secret: Secret(Self.secret)))
        #expect(app.code(ofStep: seconds / 30, digits: 8) == code)
        #expect(app.code(at: Date(timeIntervalSince1970: TimeInterval(seconds))) == String(code.suffix(6)))
    }

    @Test func aCodeIsTakenOnceAndOneStepEarlyOrLate() throws {
        let app = try #require(AuthenticatorApp(secret: Secret(Self.secret)))
        let now = Date(timeIntervalSince1970: 1_234_567_890)
        for (offset, isTaken) in [(-60, false), (-30, true), (0, true), (30, true), (60, false)] {
            #expect((app.step(of: app.code(at: now + TimeInterval(offset)), at: now, after: nil) != nil) == isTaken)
        }
        let used = try #require(app.step(of: app.code(at: now), at: now, after: nil))
        #expect(app.step(of: app.code(at: now), at: now, after: used) == nil)
        #expect(app.step(of: app.code(at: now - 30), at: now, after: used) == nil)
        #expect(app.step(of: app.code(at: now + 30), at: now, after: used) == used + 1)
    }

    @Test func aSecretIsBase32OfAHundredAndSixtyBits() throws {
        #expect(AuthenticatorApp.encode(Array("foobar".utf8)) == "MZXW6YTBOI")
        #expect(AuthenticatorApp.encode(Array("12345678901234567890".utf8)) == Self.secret)
        let made = AuthenticatorApp.makeSecret()
        #expect(made.reveal().count == 32 && made != AuthenticatorApp.makeSecret())
        #expect(AuthenticatorApp(secret: made) != nil)
        let lower = AuthenticatorApp(secret: Secret(Self.secret.lowercased()))
        #expect(lower?.code(at: Date(timeIntervalSince1970: 59)) == "287082")
        for text in ["", "A", "ABC1", "한글", "ABCD EFGH"] { #expect(AuthenticatorApp(secret: Secret(text)) == nil) }
    }

    @Test(arguments: [
        ("otpauth://totp/A:b%40c.kr?secret=\(secret)&issuer=A", true),
        ("otpauth://totp/A?secret=\(secret)&algorithm=SHA1&digits=6&period=30", true),
        ("otpauth://totp/A?secret=\(secret)&digits=8", false),
        ("otpauth://totp/A?secret=\(secret)&period=60", false),
        ("otpauth://totp/A?secret=\(secret)&algorithm=SHA256", false), ("otpauth://totp/A", false),
        ("otpauth://hotp/A?secret=\(secret)", false), ("https://totp/A?secret=\(secret)", false),
    ])
    func anAppScansAURLWhoseCodesItComputes(url: String, isUsable: Bool) {
        let app = AuthenticatorApp(scanning: Secret(url))
        #expect(app?.code(at: Date(timeIntervalSince1970: 59)) == (isUsable ? "287082" : nil))
    }
}
