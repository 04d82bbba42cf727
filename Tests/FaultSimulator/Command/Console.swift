import Foundation

/// The output of the program.
enum Console {
    /// Writes a line at once.
    static func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    /// Writes an error message.
    static func complain(_ text: String) {
        FileHandle.standardError.write(Data("faults: \(text)\n".utf8))
    }
}
