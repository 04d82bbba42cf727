import Foundation

/// Where the program says what it has to say.
enum Console {
    /// Writes a line at once.
    static func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    /// Writes a complaint.
    static func complain(_ text: String) {
        FileHandle.standardError.write(Data("faults: \(text)\n".utf8))
    }
}
