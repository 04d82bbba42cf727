import AuthStreams
import Foundation

extension AppleNotification {
    /// Reads and checks a notification, as a server does.
    ///
    /// - Throws: `ServerIDTokenVerifier.Refusal` if it is not Apple's, not for this app, or cannot be read.
    init(_ request: EmulatorRequest, in context: EmulatorContext) throws(ServerIDTokenVerifier.Refusal) {
        guard let token = request.json?["payload"]?.string else { throw .token("The body has no payload.") }
        let claims = try ServerIDTokenVerifier.apple(in: context.configuration).claims(ofSigned: token, in: context)
        // The claim is an object, or its text.
        let event = claims["events"]?.string.flatMap { AuthJSON(json: Data($0.utf8)) } ?? claims["events"]
        guard let type = event?["type"]?.string, let userID = event?["sub"]?.string,
            let milliseconds = event?["event_time"]?.lenientInteger
        else { throw .token("The event lacks type, sub or event_time.") }
        self.init(
            Event(rawValue: type), of: userID, at: Date(timeIntervalSince1970: TimeInterval(milliseconds) / 1000),
            for: claims["aud"]?.string)
    }
}
