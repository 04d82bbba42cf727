import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsOAuth

/// Keys that tokens are bound to, and their thumbprints.
@Suite struct DPoPKeyTests {
    /// RFC 7638 section 3.1.
    @Test func thumbprintOfAnRSAKeyIsThatOfTheStandard() throws {
        let modulus = """
            0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3okn\
            jhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6q\
            MQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awap\
            JzKnqDKgw
            """
        let key = PublicKey.rsa(
            modulus: try #require(Base64URL.decode(modulus)), exponent: try #require(Base64URL.decode("AQAB")))
        #expect(key.thumbprint == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    }

    /// RFC 9449 section 6.1.
    @Test func thumbprintOfAnEllipticKeyIsThatOfTheStandard() throws {
        #expect(try RFC9449.key.thumbprint == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
    }

    /// RFC 9449 section 4.1.
    @Test(.enabled(if: Signatures.isAvailable)) func signatureOfTheStandardsProofIsValid() throws {
        let dot = try #require(RFC9449.proof.lastIndex(of: "."))
        let signature = try #require(Base64URL.decode(String(RFC9449.proof[RFC9449.proof.index(after: dot)...])))
        let input = Data(RFC9449.proof[..<dot].utf8)
        #expect(try Signatures.verify(signature, of: input, algorithm: .es256, key: RFC9449.key))
    }

    @Test(.enabled(if: Signatures.isAvailable)) func storedKeyIsTheSameKey() throws {
        let key = try DPoPKey.make()
        let stored = try key.stored
        let read = try #require(try DPoPKey(stored: stored, isNeeded: true))
        #expect(read.thumbprint == key.thumbprint && read.publicKey == key.publicKey)
        let message = Data("message".utf8)
        #expect(
            try Signatures.verify(try read.sign(message), of: message, algorithm: .es256, key: key.publicKey))
    }

    @Test(.enabled(if: Signatures.isAvailable)) func keysDiffer() throws {
        #expect(try DPoPKey.make().thumbprint != DPoPKey.make().thumbprint)
    }

    @Test(.enabled(if: Signatures.isAvailable)) func keyPrintsItsThumbprintAlone() throws {
        let key = try DPoPKey.make()
        let stored = try #require(AuthJSON(json: try key.stored)?["key"]?.string)
        #expect(!everythingPrinted(of: key).contains(stored))
        #expect("\(key)".contains(key.thumbprint))
    }

    /// A record that this process cannot read for now is not a lost key.
    @Test(
        .enabled(if: Signatures.isAvailable),
        arguments: ["", "{", "{}", #"{"version":1,"kind":"software","key":"AAAA"}"#, #"{"version":1,"kind":"other"}"#])
    func damagedRecordIsNoKey(text: String) throws {
        #expect(try DPoPKey(stored: Data(text.utf8), isNeeded: true) == nil)
    }

    @Test func recordOfANewerVersionIsLeftAlone() {
        let error = #expect(throws: AuthError.self) {
            try DPoPKey(stored: Data(#"{"version":2,"kind":"other"}"#.utf8), isNeeded: false)
        }
        #expect(error?.code == .storage && error?.classification.sessionEnd == nil)
    }
}

/// What RFC 9449 prints.
enum RFC9449 {
    static var key: PublicKey {
        get throws {
            .elliptic(
                .p256, x: try #require(Base64URL.decode("l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs")),
                y: try #require(Base64URL.decode("9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA")))
        }
    }

    static let proof = """
        eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoR\
        jQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19.eyJqd\
        GkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF0IjoxNT\
        YyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg
        """
}
