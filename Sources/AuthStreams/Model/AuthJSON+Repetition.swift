package import Foundation

extension AuthJSON {
    /// Returns whether an object of a JSON text, at any depth, has two members of one name.
    ///
    /// Readers differ in which of the two they take (RFC 8259 section 4), and ``init(json:)`` keeps one of them. A JSON Web
    /// Token or key with such a text is refused (RFC 7519 section 4, RFC 7515 section 4, RFC 7517 section 4).
    ///
    /// - Parameter text: A text that ``init(json:)`` reads.
    package static func repeatsMember(_ text: Data) -> Bool {
        // The names so far of each object that is open.
        var names: [Set<String>] = []
        // An array's elements are read much faster than those of `Data`.
        var rest = Array(text)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "{"): names.append([])
            case UInt8(ascii: "}"): _ = names.popLast()
            case UInt8(ascii: #"""#):
                let string = takeString(from: &rest)
                // Only a name is followed by a colon.
                guard rest.first(where: { !isBlank($0) }) == UInt8(ascii: ":"), !names.isEmpty else { continue }
                guard names[names.count - 1].insert(string).inserted else { return true }
            default: break
            }
        }
        return false
    }

    /// Takes the rest of a string, whose first quotation mark was taken, and returns what it says.
    private static func takeString(from rest: inout ArraySlice<UInt8>) -> String {
        let all = rest
        var (isEscaped, hasEscapes) = (false, false)
        while let byte = rest.popFirst(), isEscaped || byte != UInt8(ascii: #"""#) {
            isEscaped = byte == UInt8(ascii: #"\"#) && !isEscaped
            hasEscapes = hasEscapes || isEscaped
        }
        let bytes = all[..<rest.startIndex].dropLast()
        let quoted = Data([UInt8(ascii: #"""#)] + bytes + [UInt8(ascii: #"""#)])
        if hasEscapes, let string = try? JSONDecoder().decode(String.self, from: quoted) { return string }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
