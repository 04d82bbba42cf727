import Foundation

/// The subset of DER (X.690) that keys and signatures use.
enum DER {
    static let integerTag: UInt8 = 0x02
    static let bitStringTag: UInt8 = 0x03
    static let octetStringTag: UInt8 = 0x04
    static let sequenceTag: UInt8 = 0x30

    /// Returns an element: tag, length, content.
    static func element(_ tag: UInt8, _ content: Data) -> Data {
        var length = Data()
        if content.count < 0x80 {
            length.append(UInt8(content.count))
        } else {
            let bytes = withUnsafeBytes(of: UInt64(content.count).bigEndian) { Data($0.drop { $0 == 0 }) }
            length.append(0x80 | UInt8(bytes.count))
            length += bytes
        }
        return [tag] + length + content
    }

    /// Returns an INTEGER from an unsigned big-endian number: without leading zeros, but never negative.
    static func integer(_ number: Data) -> Data {
        var content = Data(number.drop { $0 == 0 })
        if content.first.map({ $0 >= 0x80 }) ?? true { content.insert(0, at: content.startIndex) }
        return element(integerTag, content)
    }

    /// Reads elements in sequence; `nil` for bytes that are not DER.
    struct Reader {
        private var rest: Data

        init(_ bytes: Data) {
            rest = bytes
        }

        var isAtEnd: Bool { rest.isEmpty }

        /// Takes the content of the next element, if it has this tag.
        mutating func element(_ tag: UInt8) -> Data? {
            guard rest.popFirst() == tag, let first = rest.popFirst() else { return nil }
            var length = Int(first)
            if first >= 0x80 {
                // Nothing read here is near 64 KiB. Shorter lengths have only one form.
                let count = Int(first & 0x7F)
                guard (1...2).contains(count), rest.count >= count else { return nil }
                length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
                rest = rest.dropFirst(count)
                guard length >= (count == 1 ? 0x80 : 0x100) else { return nil }
            }
            guard rest.count >= length else { return nil }
            defer { rest = rest.dropFirst(length) }
            return rest.prefix(length)
        }

        /// Takes the next INTEGER as an unsigned number without leading zeros; `nil` for a negative one.
        mutating func unsignedInteger() -> Data? {
            guard let content = element(DER.integerTag), let first = content.first, first < 0x80 else { return nil }
            return Data(content.drop { $0 == 0 })
        }
    }
}
