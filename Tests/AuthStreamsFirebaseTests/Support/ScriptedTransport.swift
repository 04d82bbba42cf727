import AuthStreams
import Foundation
import Testing

/// Answers requests from a list, remembers them, and records an issue for one too many.
final class ScriptedTransport: AuthHTTPTransport {
    private let script: Lock<[AuthHTTPResponse]>
    private let log = Lock<[AuthHTTPRequest]>([])

    init(_ answers: AuthHTTPResponse...) {
        script = Lock(answers)
    }

    var requests: [AuthHTTPRequest] { log.withLock { $0 } }

    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        log.withLock { $0.append(request) }
        let answer = script.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        guard let answer else {
            Issue.record("A request that no script foresees: \(request)")
            throw AuthError(.network, "The script is over.")
        }
        return answer
    }
}

/// Never answers; ends with its task.
struct SilentTransport: AuthHTTPTransport {
    let asked = Promise<Void>()

    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        asked.resolve(())
        _ = await Promise<Void>().value()
        throw .cancelled
    }
}

extension AuthHTTPRequest {
    /// Method and whole URL, as on the wire.
    var line: String { "\(method.rawValue) \(url.absoluteString)" }
    var text: String { String(decoding: body ?? Data(), as: UTF8.self) }
    var json: AuthJSON? { body.flatMap { try? JSONDecoder().decode(AuthJSON.self, from: $0) } }
}

extension AuthHTTPResponse {
    static func json(_ text: String, status: Int = 200, headers: [HeaderName: String] = [:]) -> Self {
        Self(status: status, headers: headers, body: Data(text.utf8))
    }

    static func refusal(_ message: String, status: Int = 400, headers: [HeaderName: String] = [:]) -> Self {
        .json(
            #"{"error":{"code":\#(status),"message":"\#(message)","errors":[{"message":"\#(message)","reason":"invalid"}]}}"#,
            status: status, headers: headers)
    }

    static func html(status: Int = 200) -> Self {
        .json("<!doctype html><title>Sign in to Wi-Fi</title>", status: status, headers: [.contentType: "text/html"])
    }
}

/// The error of an attempt that has to fail.
func failure<Value>(
    of attempt: () async throws(AuthError) -> Value, sourceLocation: SourceLocation = #_sourceLocation
) async throws -> AuthError {
    do throws(AuthError) {
        _ = try await attempt()
    } catch {
        return error
    }
    Issue.record("It succeeded.", sourceLocation: sourceLocation)
    throw AuthError(.unexpected, "It succeeded.")
}
