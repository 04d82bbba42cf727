import Foundation

/// Parses HTTP/1.1 requests from bytes, without input or output of its own.
///
/// ``append(_:)`` takes bytes in pieces of any size; ``next()`` returns the outcome. The work is linear in the bytes,
/// even for small pieces. After a rejection the position is lost, so the parser stays rejected.
struct LoopbackRequestParser {
    enum Outcome {
        /// More bytes are needed.
        case incomplete
        /// The client waits for `100 Continue`. Returned at most once for a request.
        case continueExpected
        /// A complete request, and whether the client wants to send another one after it.
        case request(LoopbackRequest, keepsAlive: Bool)
        /// The bytes are not an acceptable request.
        case rejected(LoopbackRequestError)
    }

    private enum Phase {
        case head(LoopbackHeadScanner)
        case body(LoopbackRequestHead, length: Int)
        case chunks(LoopbackRequestHead)
        case rejected(LoopbackRequestError)
    }

    private let maxHeadBytes: Int
    private let maxBodyBytes: Int
    private var buffer: [UInt8] = []
    private var phase: Phase
    // Beside the phase, not in it: changing it inside an enum would copy the body each time.
    private var chunks: LoopbackChunkedBody

    init(limits: LoopbackServer.Limits) {
        maxHeadBytes = limits.maxHeadBytes
        maxBodyBytes = limits.maxBodyBytes
        phase = .head(LoopbackHeadScanner(limit: limits.maxHeadBytes))
        chunks = LoopbackChunkedBody(limit: limits.maxBodyBytes, maxTrailerBytes: limits.maxHeadBytes)
    }

    /// The number of bytes that are not part of a returned request.
    var bufferedBytes: Int { buffer.count }

    /// Whether a request has begun and is not complete.
    var isInsideRequest: Bool {
        if case .head = phase { !buffer.isEmpty } else { true }
    }

    mutating func append(_ bytes: some Collection<UInt8>) {
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next request or the reason why there is none.
    mutating func next() -> Outcome {
        do throws(LoopbackRequestError) {
            return try advance()
        } catch {
            buffer = []
            phase = .rejected(error)
            return .rejected(error)
        }
    }

    private mutating func advance() throws(LoopbackRequestError) -> Outcome {
        switch phase {
        case .head(var scanner):
            let range = try scanner.scan(buffer)
            phase = .head(scanner)
            guard let range else { return .incomplete }
            let head = try LoopbackRequestHead(parsing: buffer[range.head])
            buffer.removeSubrange(..<range.end)
            return try begin(head)

        case .body(let head, let length):
            guard buffer.count >= length else { return .incomplete }
            let body = Data(buffer[..<length])
            buffer.removeSubrange(..<length)
            return finish(head, body: body)

        case .chunks(let head):
            guard try chunks.take(from: &buffer) else { return .incomplete }
            return finish(head, body: chunks.body)

        case .rejected(let error):
            throw error
        }
    }

    /// Begins the body; first returns whether the client waits for permission to send it.
    private mutating func begin(_ head: LoopbackRequestHead) throws(LoopbackRequestError) -> Outcome {
        switch head.framing {
        case .length(let length):
            guard length <= maxBodyBytes else { throw .bodyTooLarge }
            phase = .body(head, length: length)
            // A client that already sends does not wait.
            return head.expectsContinue && buffer.count < length ? .continueExpected : try advance()
        case .chunked:
            phase = .chunks(head)
            return head.expectsContinue && buffer.isEmpty ? .continueExpected : try advance()
        }
    }

    private mutating func finish(_ head: LoopbackRequestHead, body: Data) -> Outcome {
        phase = .head(LoopbackHeadScanner(limit: maxHeadBytes))
        chunks = LoopbackChunkedBody(limit: maxBodyBytes, maxTrailerBytes: maxHeadBytes)
        var request = head.request
        request.body = body
        return .request(request, keepsAlive: head.keepsAlive)
    }
}

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
