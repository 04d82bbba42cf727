// Without a regular expression: a literal is compiled anew each time, and every sign-in asks for the callbacks of all providers.
extension String {
    /// Whether it is a scheme of URLs (RFC 3986 section 3.1).
    var isURLScheme: Bool {
        guard let first = utf8.first, first.isASCIILetter else { return false }
        return utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "+.-".utf8.contains($0) }
    }

    var isASCIILettersAndDigits: Bool { !isEmpty && utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit } }
}

extension UInt8 {
    fileprivate var isASCIILetter: Bool { (0x61...0x7A).contains(self | 0x20) }

    fileprivate var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
}
