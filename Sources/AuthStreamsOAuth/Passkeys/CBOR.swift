package import Foundation

/// A value of CBOR (RFC 8949), as far as attestation objects and COSE keys use it.
///
/// Tags and lengths that are not known in advance are refused; CTAP2's canonical form has neither.
package indirect enum CBOR: Hashable, Sendable {
    /// An integer that is not negative.
    case unsigned(UInt64)
    /// A negative integer, by its distance from −1: 0 is −1, 6 is −7.
    case negative(UInt64)
    /// A byte string.
    case bytes(Data)
    /// A text string.
    case text(String)
    /// An array.
    case array([CBOR])
    /// A map. The order of its members is not kept.
    case map([CBOR: CBOR])
    /// A simple value, such as `true`, by its number.
    case simple(UInt8)
    /// A floating-point number, as its two, four or eight bytes. No reader needs its value.
    case float(Data)

    /// `false`.
    package static let `false` = CBOR.simple(20)
    /// `true`.
    package static let `true` = CBOR.simple(21)
    /// `null`.
    package static let null = CBOR.simple(22)
}

extension CBOR {
    /// The integer, if this is one of 64 bits.
    package var integer: Int64? {
        switch self {
        case .unsigned(let value): Int64(exactly: value)
        case .negative(let distance): Int64(exactly: distance).map { -1 - $0 }
        default: nil
        }
    }

    /// The bytes, if this is a byte string.
    package var bytes: Data? { if case .bytes(let value) = self { value } else { nil } }

    /// The text, if this is one.
    package var text: String? { if case .text(let value) = self { value } else { nil } }

    /// The members, if this is a map.
    package var map: [CBOR: CBOR]? { if case .map(let value) = self { value } else { nil } }
}

extension CBOR: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    package init(integerLiteral value: Int64) {
        self = value < 0 ? .negative(UInt64(-1 - value)) : .unsigned(UInt64(value))
    }

    package init(stringLiteral value: String) { self = .text(value) }
}

extension CBOR {
    /// Why bytes are not read as a value.
    package enum Malformation: Error, Hashable, Sendable {
        /// The input ends inside a value, or a length reaches beyond it.
        case truncated
        /// Bytes follow the value.
        case trailingBytes
        /// A string, an array or a map whose length is not known in advance.
        case indefiniteLength
        /// A tag.
        case tag
        /// Arrays and maps are nested deeper than ``CBOR/maximumDepth``.
        case tooDeep
        /// A text string that is not UTF-8.
        case invalidText
        /// A map with two members of one key.
        case repeatedKey
        /// An encoding that RFC 8949 reserves.
        case reserved
    }

    /// The maximum nesting depth of arrays and maps. CTAP2's canonical form has at most four levels.
    package static let maximumDepth = 16

    /// Reads a value that is the whole input.
    package init(_ input: Data) throws(Malformation) {
        var reader = Reader(input)
        self = try reader.value()
        guard reader.rest.isEmpty else { throw .trailingBytes }
    }

    /// Reads values one after the other.
    package struct Reader {
        /// The bytes that are not read yet: in an array, because `Data` is slow to read byte by byte.
        package private(set) var rest: ArraySlice<UInt8>

        /// Makes a reader of some input.
        package init(_ input: some Sequence<UInt8>) {
            rest = Array(input)[...]
        }

        /// Takes the next value.
        package mutating func value() throws(Malformation) -> CBOR { try value(depth: 0) }

        private mutating func value(depth: Int) throws(Malformation) -> CBOR {
            guard let initial = rest.popFirst() else { throw .truncated }
            let (kind, detail) = (initial >> 5, initial & 0x1F)
            guard kind != 6 else { throw .tag }
            guard kind != 7 else { return try simpleValue(detail) }
            let argument = try argument(detail, hasIndefiniteForm: kind >= 2)
            switch kind {
            case 0: return .unsigned(argument)
            case 1: return .negative(argument)
            case 2: return .bytes(Data(try take(argument)))
            case 3:
                let bytes = try take(argument)
                let text = String(decoding: bytes, as: UTF8.self)
                // Bytes that are not UTF-8 were replaced.
                guard text.utf8.elementsEqual(bytes) else { throw .invalidText }
                return .text(text)
            case 4:
                let count = try elementCount(argument, depth: depth, bytesPerElement: 1)
                var elements: [CBOR] = []
                for _ in 0..<count { elements.append(try value(depth: depth + 1)) }
                return .array(elements)
            default:
                let count = try elementCount(argument, depth: depth, bytesPerElement: 2)
                var members: [CBOR: CBOR] = [:]
                for _ in 0..<count {
                    let key = try value(depth: depth + 1)
                    guard members.updateValue(try value(depth: depth + 1), forKey: key) == nil else {
                        throw .repeatedKey
                    }
                }
                return .map(members)
            }
        }

        /// Reads the number that follows the initial byte, or is in it (RFC 8949 section 3).
        private mutating func argument(_ detail: UInt8, hasIndefiniteForm: Bool) throws(Malformation) -> UInt64 {
            switch detail {
            case ..<24: return UInt64(detail)
            case 24...27: return try take(1 << (detail - 24)).reduce(0) { $0 << 8 | UInt64($1) }
            case 31 where hasIndefiniteForm: throw .indefiniteLength
            default: throw .reserved
            }
        }

        private mutating func simpleValue(_ detail: UInt8) throws(Malformation) -> CBOR {
            switch detail {
            case ..<24: return .simple(detail)
            case 24:
                // The first 32 numbers have the short form only (RFC 8949 section 3.3).
                guard let number = try take(1).first, number >= 32 else { throw .reserved }
                return .simple(number)
            case 25...27: return .float(Data(try take(1 << (detail - 24))))
            // The end of what has no length.
            case 31: throw .indefiniteLength
            default: throw .reserved
            }
        }

        /// The number of elements of an array or a map, each of which takes bytes of the input.
        private func elementCount(
            _ argument: UInt64, depth: Int, bytesPerElement: UInt64
        ) throws(Malformation) -> Int {
            guard depth < CBOR.maximumDepth else { throw .tooDeep }
            guard argument <= UInt64(rest.count) / bytesPerElement else { throw .truncated }
            return Int(argument)
        }

        private mutating func take(_ count: UInt64) throws(Malformation) -> ArraySlice<UInt8> {
            guard count <= UInt64(rest.count) else { throw .truncated }
            defer { rest = rest.dropFirst(Int(count)) }
            return rest.prefix(Int(count))
        }
    }
}
