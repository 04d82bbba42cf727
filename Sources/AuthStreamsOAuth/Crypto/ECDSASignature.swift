package import Foundation

/// A signature on P-256, in its two encodings.
package struct ECDSASignature {
    private let r: Data
    private let s: Data

    /// Reads the form of a JWS (RFC 7518 section 3.4); `nil` unless it has exactly 64 bytes.
    package init?(raw: Data) {
        guard raw.count == 64 else { return nil }
        r = Data(raw.prefix(32))
        s = Data(raw.suffix(32))
    }

    /// Reads the form of X.509 (RFC 3279 section 2.2.3); `nil` for another form or a larger curve.
    init?(der: Data) {
        var outer = DER.Reader(der)
        guard let content = outer.element(DER.sequenceTag), outer.isAtEnd else { return nil }
        var reader = DER.Reader(content)
        guard let r = reader.unsignedInteger(), let s = reader.unsignedInteger(), reader.isAtEnd,
            r.count <= 32, s.count <= 32
        else { return nil }
        self.r = Data(count: 32 - r.count) + r
        self.s = Data(count: 32 - s.count) + s
    }

    /// `r` and `s`, 32 bytes each.
    var raw: Data { r + s }

    /// SEQUENCE { INTEGER r, INTEGER s }.
    package var der: Data { DER.element(DER.sequenceTag, DER.integer(r) + DER.integer(s)) }
}
