/// Reads percent-encoding and `application/x-www-form-urlencoded` strictly.
///
/// What is not valid gives `nil` rather than a guess: two readers that guess differently are a security bug.
enum LoopbackForm {
    /// Returns the pairs of a query or form body, in order; `nil` when one of them is malformed.
    ///
    /// A piece without `=` has an empty value; empty pieces, as in `a=1&&b=2`, are left out.
    static func items(_ bytes: some Collection<UInt8>) -> [(name: String, value: String)]? {
        var items: [(name: String, value: String)] = []
        for piece in bytes.split(separator: UInt8(ascii: "&")) {
            let name = piece.prefix { $0 != UInt8(ascii: "=") }
            guard let decodedName = decoded(name, plusIsSpace: true),
                let decodedValue = decoded(piece.dropFirst(name.count + 1), plusIsSpace: true)
            else { return nil }
            items.append((decodedName, decodedValue))
        }
        return items
    }

    /// Returns percent-decoded text; `nil` for `%` without two hexadecimal digits and for what is not UTF-8.
    static func decoded(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> String? {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var iterator = bytes.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = iterator.next().flatMap(hexDigit), let low = iterator.next().flatMap(hexDigit) else {
                    return nil
                }
                output.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace:
                output.append(UInt8(ascii: " "))
            default:
                output.append(byte)
            }
        }
        return text(output)
    }

    /// Returns the bytes as text, or `nil` when they are not UTF-8.
    static func text(_ bytes: some Collection<UInt8>) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        // Decoding repairs what is invalid, so text that reads back differently was not UTF-8.
        return text.utf8.elementsEqual(bytes) ? text : nil
    }

    /// Returns the value of a hexadecimal digit in either case.
    static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
