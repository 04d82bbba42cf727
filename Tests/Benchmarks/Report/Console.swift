import Foundation

/// Where reports go.
enum Console {
    /// Writes a line at once, also into a file or a pipe: a run takes minutes.
    static func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    /// Writes a complaint.
    static func complain(_ text: String) {
        FileHandle.standardError.write(Data("bench: \(text)\n".utf8))
    }
}
