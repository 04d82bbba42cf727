package import Foundation

/// A signature on an elliptic curve, in its two encodings.
package struct ECDSASignature {
    private let r: Data
    private let s: Data

    /// Reads the form of a JWS (RFC 7518 section 3.4); `nil` unless it has the length of the curve's signatures.
    package init?(raw: Data, on curve: EllipticCurve) {
        guard raw.count == 2 * curve.byteCount else { return nil }
        r = Data(raw.prefix(curve.byteCount))
        s = Data(raw.suffix(curve.byteCount))
    }

    /// Reads the form of X.509 (RFC 3279 section 2.2.3); `nil` for another form or a larger curve.
    package init?(der: Data, on curve: EllipticCurve) {
        var outer = DER.Reader(der)
        guard let content = outer.element(DER.sequenceTag), outer.isAtEnd else { return nil }
        var reader = DER.Reader(content)
        guard let r = reader.unsignedInteger(), let s = reader.unsignedInteger(), reader.isAtEnd,
            r.count <= curve.byteCount, s.count <= curve.byteCount
        else { return nil }
        self.r = Data(count: curve.byteCount - r.count) + r
        self.s = Data(count: curve.byteCount - s.count) + s
    }

    /// `r` and `s`, each of the curve's length.
    package var raw: Data { r + s }

    /// SEQUENCE { INTEGER r, INTEGER s }.
    package var der: Data { DER.element(DER.sequenceTag, DER.integer(r) + DER.integer(s)) }
}
