extension SessionStoreKey {
    /// Checks that every store can keep the name: 1 to 64 lower-case ASCII letters, digits, dots and hyphens, of which
    /// the first is a letter or digit.
    ///
    /// Stores call this first, so that a name is never a path, a hidden file or a file of another purpose.
    ///
    /// - Throws: ``AuthError`` with code `storage`.
    public func validate() throws(AuthError) {
        let bytes = Array(rawValue.utf8)
        if let first = bytes.first, bytes.count <= 64, Self.isAlphanumeric(first),
            bytes.allSatisfy({ Self.isAlphanumeric($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") })
        {
            return
        }
        throw AuthError(
            .storage,
            "A record's name is 1 to 64 lower-case letters, digits, dots and hyphens and begins with a letter or digit; "
                + "choose such a name for the SessionStoreKey.")
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
