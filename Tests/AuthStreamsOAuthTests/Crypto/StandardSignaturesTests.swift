import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsOAuth

/// The examples of the standards for the algorithms that the issuers' own tokens in other tests do not use.
@Suite(.enabled(if: Signatures.isAvailable)) struct StandardSignaturesTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let source: String
        let key: AuthJSON
        let token: String
        var testDescription: String { source }
    }

    private static let payload = """
        SXTigJlzIGEgZGFuZ2Vyb3VzIGJ1c2luZXNzLCBGcm9kbywgZ29pbmcgb3V0IHlvdXIgZG9vci4gWW91IHN0ZXAgb250byB0aGUgcm9hZC\
        wgYW5kIGlmIHlvdSBkb24ndCBrZWVwIHlvdXIgZmVldCwgdGhlcmXigJlzIG5vIGtub3dpbmcgd2hlcmUgeW91IG1pZ2h0IGJlIHN3ZXB0\
        IG9mZiB0by4
        """

    static let examples = [
        Example(
            source: "RFC 7515 section A.4",
            key: [
                "kty": "EC", "crv": "P-521",
                "x": "AekpBQ8ST8a8VcfVOTNl353vSrDCLLJXmPk06wTjxrrjcBpXp5EOnYG_NjFZ6OvLFV1jSfS9tsz4qUxcWceqwQGk",
                "y": "ADSmRA43Z1DSNx_RvcLI87cdL07l6jQyyBXMoxVg_l2Th-x3S1WDhjDly79ajL4Kkd0AZMaZmh9ubmf63e3kyMj2",
            ],
            token: """
                eyJhbGciOiJFUzUxMiJ9.UGF5bG9hZA.\
                AdwMgeerwtHoh-l192l60hp9wAHZFVJbLfD_UxMi70cwnZOYaRI1bKPWROc-mZZqwqT2SI-KGDKB34XO0aw_7XdtAG8GaSwFKdCAPZ\
                goXD2YBJZCPEX3xKpRwcdOO8KpEHwJjyqOgzDO7iKvU8vcnwNrmxYbSW9ERBXukOXolLzeO_Jn
                """),
        Example(
            source: "RFC 7520 section 4.2",
            key: [
                "kty": "RSA", "kid": "bilbo.baggins@hobbiton.example", "use": "sig",
                "n": .string(
                    """
                    n4EPtAOCc9AlkeQHPzHStgAbgs7bTZLwUBZdR8_KuKPEHLd4rHVTeT-O-XV2jRojdNhxJWTDvNd7nqQ0VEiZQHz_AJmSCpMaJM\
                    RBSFKrKb2wqVwGU_NsYOYL-QtiWN2lbzcEe6XC0dApr5ydQLrHqkHHig3RBordaZ6Aj-oBHqFEHYpPe7Tpe-OfVfHd1E6cS6M1\
                    FZcD1NNLYD5lFHpPI9bTwJlsde3uhGqC0ZCuEHg8lhzwOHrtIQbS0FVbb9k3-tVTU4fg_3L_vniUFAKwuCLqKnS2BYwdq_mzSn\
                    bLY7h_qixoR7jig3__kRhuaxwUkRz5iaiQkqgc5gHdrNP5zw
                    """),
                "e": "AQAB",
            ],
            token: """
                eyJhbGciOiJQUzM4NCIsImtpZCI6ImJpbGJvLmJhZ2dpbnNAaG9iYml0b24uZXhhbXBsZSJ9.\(payload).\
                cu22eBqkYDKgIlTpzDXGvaFfz6WGoz7fUDcfT0kkOy42miAh2qyBzk1xEsnk2IpN6-tPid6VrklHkqsGqDqHCdP6O8TTB5dDDItllV\
                o6_1OLPpcbUrhiUSMxbbXUvdvWXzg-UD8biiReQFlfz28zGWVsdiNAUf8ZnyPEgVFn442ZdNqiVJRmBqrYRXe8P_ijQ7p8Vdz0TTrx\
                UeT3lm8d9shnr2lfJT8ImUjvAA2Xez2Mlp8cBE5awDzT0qI0n6uiP1aCN_2_jLAeQTlqRHtfa64QQSUmFAAjVKPbByi7xho0uTOcbH\
                510a6GYmJUAfmWjwZ6oD4ifKo8DYM-X72Eaw
                """),
        Example(
            source: "RFC 7520 section 4.3",
            key: [
                "kty": "EC", "kid": "bilbo.baggins@hobbiton.example", "use": "sig", "crv": "P-521",
                "x": "AHKZLLOsCOzz5cY97ewNUajB957y-C-U88c3v13nmGZx6sYl_oJXu9A5RkTKqjqvjyekWF-7ytDyRXYgCF5cj0Kt",
                "y": "AdymlHvOiLxXkEhayXQnNCvDX4h9htZaCJN34kfmC6pV5OhQHiraVySsUdaQkAgDPrwQrJmbnX9cwlGfP-HqHZR1",
            ],
            token: """
                eyJhbGciOiJFUzUxMiIsImtpZCI6ImJpbGJvLmJhZ2dpbnNAaG9iYml0b24uZXhhbXBsZSJ9.\(payload).\
                AE_R_YZCChjn4791jSQCrdPZCNYqHXCTZH0-JZGYNlaAjP2kqaluUIIUnC9qvbu9Plon7KRTzoNEuT4Va2cmL1eJAQy3mtPBu_u_sD\
                DyYjnAMDxXPn7XrT0lw-kvAD890jl8e2puQens_IEKBpHABlsbEPX6sFY8OcGDqoRuBomu9xQ2
                """),
        Example(
            source: "RFC 8037 section A.5",
            key: ["kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"],
            token: """
                eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.\
                hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg
                """),
    ]

    @Test(arguments: examples) func exampleVerifies(example: Example) throws {
        #expect(SignedTokens.isSigned(example.token, by: example.key))
        // The first character of the signature, which has no unused bits.
        let dot = try #require(example.token.lastIndex(of: "."))
        let changed = example.token[...dot] + "B" + example.token[dot...].dropFirst(2)
        #expect(!SignedTokens.isSigned(String(changed), by: example.key))
    }

    /// RFC 8037 section A.4. Ed25519 draws no random number, so the signature is that of the example.
    @Test func exampleIsSignedAsWritten() throws {
        let example = try #require(Self.examples.last)
        let number = try #require(Base64URL.decode("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"))
        let dot = try #require(example.token.lastIndex(of: "."))
        // What PKCS #8 puts before it (RFC 8410 section 7).
        let prefix = Data([
            0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
        ])
        let signature = try Signatures.sign(
            Data(example.token[..<dot].utf8), algorithm: .edDSA, privateKey: prefix + number)
        #expect("\(example.token[...dot])\(Base64URL.encode(signature))" == example.token)
    }
}
