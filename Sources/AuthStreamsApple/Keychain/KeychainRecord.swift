#if AUTH_SECURITY
    import AuthStreams
    import Foundation

    /// How a record stands in an item.
    ///
    /// The tag is the version, in decimal digits. The data is one byte and the record, or another byte for a removed
    /// one: the item stays, so that the version of a removed record is not used again.
    enum KeychainRecord {
        private static let removed: UInt8 = 0
        private static let present: UInt8 = 1

        static func tag(_ version: RecordVersion) -> Data { Data(String(version.rawValue).utf8) }

        static func data(_ record: Data?) -> Data { record.map { Data([present]) + $0 } ?? Data([removed]) }

        /// - Throws: `storage` if another program wrote the item.
        static func version(of contents: KeychainItem.Contents, _ item: KeychainItem) throws(AuthError) -> RecordVersion
        {
            guard let tag = contents.tag, let number = UInt64(String(decoding: tag, as: UTF8.self)) else {
                throw AuthError(
                    .storage,
                    """
                    The keychain item '\(item.account)' of the service '\(item.place.service)' has no version, so another \
                    program wrote it. Delete it, or give the store a service that nothing else uses.
                    """)
            }
            return RecordVersion(rawValue: number)
        }

        /// The record; `nil` if it was removed. Damaged data is returned as it is, as a damaged file would be: its
        /// reader sees that it is no record, and may replace it.
        static func record(in contents: KeychainItem.Contents) -> Data? {
            let data = contents.data ?? Data()
            switch data.first {
            case removed where data.count == 1: return nil
            case present: return Data(data.dropFirst())
            default: return data
            }
        }
    }
#endif
