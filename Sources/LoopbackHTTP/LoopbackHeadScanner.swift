/// Finds the end of a request's head, remembering how far it has looked.
///
/// It refuses NUL, and CR or LF alone, at their position. So garbage ends a connection at its first invalid byte, and
/// bytes that another reader might take for a line ending are never one here (RFC 9112 section 2.2).
struct LoopbackHeadScanner {
    private let limit: Int
    private var position = 0
    private var headStart = 0
    private var lineStart = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Returns the range of the head and the position after it; `nil` if its end has not arrived.
    ///
    /// - Parameter bytes: All bytes so far: those of the last call, and more.
    mutating func scan(_ bytes: [UInt8]) throws(LoopbackRequestError) -> (head: Range<Int>, end: Int)? {
        while position < bytes.count {
            guard position < limit else { throw .headTooLarge }
            let byte = bytes[position]
            let followsCR = position > lineStart && bytes[position - 1] == UInt8(ascii: "\r")
            guard byte != 0, followsCR == (byte == UInt8(ascii: "\n")) else { throw .malformed(.lineEnding) }
            position += 1
            guard followsCR else { continue }

            let isEmptyLine = position - lineStart == 2
            let line = lineStart
            lineStart = position
            guard isEmptyLine else { continue }
            if line > headStart { return (headStart..<line, position) }
            // Some clients end the previous body with one line ending too many.
            headStart = position
        }
        return nil
    }
}
