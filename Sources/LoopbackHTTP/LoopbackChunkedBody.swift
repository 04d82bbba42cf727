import Foundation

/// A body in the chunked transfer coding (RFC 9112 section 7.1), read as it arrives.
///
/// Extensions and trailer fields are read and dropped.
struct LoopbackChunkedBody {
    private enum Phase {
        case sizeLine
        case data(remaining: Int)
        case dataEnd
        case trailer
    }

    /// A size line, with its extensions, above this is refused.
    private static let maxSizeLineBytes = 256

    private let limit: Int
    private let maxTrailerBytes: Int
    private var phase = Phase.sizeLine
    /// The position up to which the current line was searched for its end.
    private var position = 0
    private var trailerBytes = 0
    /// The decoded bytes so far.
    private(set) var body = Data()

    init(limit: Int, maxTrailerBytes: Int) {
        self.limit = limit
        self.maxTrailerBytes = maxTrailerBytes
    }

    /// Moves the body's bytes out of the buffer; returns true if the body is complete.
    mutating func take(from buffer: inout [UInt8]) throws(LoopbackRequestError) -> Bool {
        var rest = buffer[...]
        let isComplete = try take(from: &rest)
        buffer.removeFirst(buffer.count - rest.count)
        return isComplete
    }

    private mutating func take(from rest: inout ArraySlice<UInt8>) throws(LoopbackRequestError) -> Bool {
        while !rest.isEmpty {
            switch phase {
            case .sizeLine:
                guard let line = try nextLine(of: &rest, limit: Self.maxSizeLineBytes) else { return false }
                let size = try Self.size(line)
                guard size <= limit - body.count else { throw .bodyTooLarge }
                phase = size == 0 ? .trailer : .data(remaining: size)

            case .data(let remaining):
                let data = rest.prefix(remaining)
                body.append(contentsOf: data)
                rest.removeFirst(data.count)
                phase = data.count == remaining ? .dataEnd : .data(remaining: remaining - data.count)

            case .dataEnd:
                guard let line = try nextLine(of: &rest, limit: 2) else { return false }
                guard line.isEmpty else { throw .malformed(.chunk) }
                phase = .sizeLine

            case .trailer:
                guard let line = try nextLine(of: &rest, limit: maxTrailerBytes) else { return false }
                if line.isEmpty { return true }
                trailerBytes += line.count + 2
                guard trailerBytes < maxTrailerBytes else { throw .headTooLarge }
            }
        }
        return false
    }

    /// Takes the next line, without its ending; `nil` if its end has not arrived.
    private mutating func nextLine(
        of rest: inout ArraySlice<UInt8>, limit: Int
    ) throws(LoopbackRequestError) -> ArraySlice<UInt8>? {
        while position < rest.count {
            let byte = rest[rest.startIndex + position]
            let followsCR = position > 0 && rest[rest.startIndex + position - 1] == UInt8(ascii: "\r")
            guard byte != 0, followsCR == (byte == UInt8(ascii: "\n")), position < limit else {
                throw .malformed(.chunk)
            }
            position += 1
            guard followsCR else { continue }
            let line = rest.prefix(position - 2)
            rest.removeFirst(position)
            position = 0
            return line
        }
        return nil
    }

    private static func size(_ line: ArraySlice<UInt8>) throws(LoopbackRequestError) -> Int {
        let digits = line.prefix { $0 != UInt8(ascii: ";") }
        // Fifteen digits fit into 64 bits; no body here needs more than six. The leading zero makes the parser refuse a
        // sign.
        guard (1...15).contains(digits.count), let size = Int("0" + String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw .malformed(.chunk) }
        return size
    }
}
