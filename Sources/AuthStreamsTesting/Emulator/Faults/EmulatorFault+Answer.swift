import AuthStreamsOAuth
import Foundation

extension EmulatorFault {
    /// How the service is to spoil its tokens.
    var token: Token? {
        switch kind {
        case .token(let token): token
        case .clockSkew(let skew): .skewed(skew)
        default: nil
        }
    }

    /// The error that the service is to answer with.
    var serverError: String? {
        if case .serverError(let code) = kind { code } else { nil }
    }

    /// What is answered without asking the service.
    var replacement: LoopbackResponse? {
        switch kind {
        case .status(let status):
            LoopbackResponse(status: status)
        case .rateLimited(let wait):
            LoopbackResponse(status: 429, headers: [("Retry-After", "\(wait.components.seconds)")])
        case .html:
            .html("<!doctype html><title>Sign in to the network</title><p>Please accept the terms of this network.")
        case .empty:
            .json(Data())
        case .malformedJSON:
            .json(Data(#"{"access_token":"#.utf8))
        case .oversized(let bytes):
            .json(Self.document(of: bytes))
        default:
            nil
        }
    }

    /// What becomes of the answer on its way.
    func deliver(_ response: LoopbackResponse, now: Date) async -> LoopbackResponse {
        switch kind {
        case .held(let gate):
            await gate.pass()
            return response
        case .dropped:
            return .dropConnection
        case .truncated(let count):
            return .truncated(response, afterBodyBytes: count)
        case .clockSkew(let skew):
            var response = response
            response.headers.append(("Date", Self.header(now + TimeInterval(skew.components.seconds))))
            return response
        default:
            return response
        }
    }

    private static func document(of bytes: Int) -> Data {
        let (head, tail) = (#"{"padding":""#, #""}"#)
        let padding = max(0, bytes - head.utf8.count - tail.utf8.count)
        return Data(head.utf8) + Data(repeating: UInt8(ascii: "x"), count: padding) + Data(tail.utf8)
    }

    /// The form of RFC 9110 section 5.6.7.
    private static func header(_ date: Date) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: date)
    }
}
