import Foundation

/// The shape of a record that cannot be decoded, kept for diagnosis without any token.
enum DamagedRecord {
    private static let names: Set<String> = [
        "version", "accessToken", "refreshToken", "expiresAt", "issuedAt", "user", "provider", "isAnswerOwed",
        "signedInAt",
        "savedAt", "id",
    ]

    /// Returns as many bytes as there were, of which only JSON's punctuation and the names of the record's members are kept.
    /// Every other one is an `x`.
    ///
    /// So a record that was cut off, or with a missing or misspelt member, is recognized without the person's data.
    static func shape(of data: Data) -> Data {
        var shape = Data(capacity: data.count)
        var word: [UInt8] = []
        func endWord() {
            shape.append(contentsOf: names.contains(String(decoding: word, as: UTF8.self)) ? word : word.map { _ in x })
            word = []
        }
        for byte in data {
            if punctuation.contains(byte) {
                endWord()
                shape.append(byte)
            } else {
                word.append(byte)
            }
        }
        endWord()
        return shape
    }

    private static let punctuation = Set(#"{}[]":, "#.utf8)
    private static let x = UInt8(ascii: "x")
}
