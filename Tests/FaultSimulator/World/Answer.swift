import AuthStreams
import Foundation

/// An answer of the server, with its meaning to a client that reads it whole.
struct Answer {
    enum Meaning: Hashable {
        /// A session: from here on the access token is theirs, and the refresh token, if any, is the one to use.
        case session(access: TokenName, refresh: TokenName?)
        /// Another access token of the same session.
        case accessToken(TokenName)
        /// A terminal rejection of that refresh token.
        case refusal(TokenName, AuthError.Code)
        /// The account is deleted, as was asked or before.
        case gone(Int)
        /// The further step of that number is wanted.
        case challenge(Int)
    }

    var response: AuthHTTPResponse
    /// `nil` for what decides nothing.
    var meaning: Meaning?
    /// The further step whose pending token is taken no more, as a client that reads the answer knows.
    var spent: Int?

    init(_ response: AuthHTTPResponse, meaning: Meaning? = nil) {
        self.response = response
        self.meaning = meaning
    }

    /// - Parameter user: The user, as JSON.
    /// - Parameter refresh: The refresh token; `nil` where the server gives none.
    static func session(_ access: TokenName, _ refresh: TokenName?, lifetime: Int, user: String, isNew: Bool) -> Self {
        let token = refresh.map { #""refreshToken":"\#($0)","# } ?? ""
        var answer = changed(
            #"""
            {"accessToken":"\#(access)","expiresIn":\#(lifetime),\#(token)"isNewUser":\#(isNew),"user":\#(user)}
            """#)
        answer.meaning = .session(access: access, refresh: refresh)
        return answer
    }

    /// What was asked for was done, and this is how things are now.
    static func changed(_ json: String) -> Self {
        Answer(AuthHTTPResponse(status: 200, headers: [.contentType: "application/json"], body: Data(json.utf8)))
    }

    /// What was asked for was done.
    static var done: Self { Answer(AuthHTTPResponse(status: 204)) }

    static func problem(_ status: Int, _ type: String, meaning: Meaning? = nil) -> Self {
        Answer(
            AuthHTTPResponse(
                status: status, headers: [.contentType: "application/problem+json"],
                body: Data(#"{"type":"https://server.test/problems/\#(type)"}"#.utf8)),
            meaning: meaning)
    }

    /// The server fails. A problem that would be a terminal rejection is none with such a status.
    static func failure(_ status: Int, retryAfter: Int?) -> Self {
        var answer = problem(status, "session-expired", meaning: nil)
        answer.response.headers[.retryAfter] = retryAfter.map(String.init)
        return answer
    }

    /// Something between answers in the server's place.
    static var page: Self {
        Answer(
            AuthHTTPResponse(
                status: 200, headers: [.contentType: "text/html"],
                body: Data("<html>Log in to this network</html>".utf8)))
    }

    /// The same answer with another user in it, if it is a session: nothing of it may be kept.
    func ofAnotherUser(in server: Server) -> Self {
        guard case .session(let access, _) = meaning else { return self }
        let user = server.user(of: access.family)
        let text = String(decoding: response.body, as: UTF8.self)
        var answer = self
        answer.response.body = Data(
            text.replacingOccurrences(of: #""id":"u\#(user)""#, with: #""id":"u\#(user ^ 1)""#).utf8)
        answer.meaning = nil
        return answer
    }

    /// The same answer, cut off in the middle of its body.
    func truncated() -> Self {
        guard !response.body.isEmpty else { return self }
        var answer = self
        answer.response.body = response.body.prefix(response.body.count / 2)
        (answer.meaning, answer.spent) = (nil, nil)
        return answer
    }
}
