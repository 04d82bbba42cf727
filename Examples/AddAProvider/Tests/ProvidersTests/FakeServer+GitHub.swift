import AuthStreams
import Foundation

/// GitHub: plain OAuth. It answers errors with status 200, and with a form unless it is asked for JSON.
extension FakeServer {
    func githubToken(_ form: [String: String], accept: String?) -> AuthHTTPResponse {
        let answer =
            if form["client_id"] != Self.github.id || form["client_secret"].map({ Secret($0) }) != Self.github.secret {
                ["error": "incorrect_client_credentials"]
            } else if redeem(form) == nil {
                ["error": "bad_verification_code"]
            } else {
                ["access_token": newAccessToken().reveal(), "token_type": "bearer", "scope": "read:user"]
            }
        if accept?.contains("application/json") == true { return .json(.object(answer.mapValues { .string($0) })) }
        let body = answer.map { "\($0)=\($1)" }.joined(separator: "&")
        return AuthHTTPResponse(
            status: 200, headers: [.contentType: "application/x-www-form-urlencoded"], body: Data(body.utf8))
    }

    /// Answers the app's server with the user of an access token that was issued to this app.
    func githubCheck(_ request: AuthHTTPRequest) -> AuthHTTPResponse {
        let client = Data("\(Self.github.id):\(Self.github.secret.reveal())".utf8).base64EncodedString()
        let body = request.body.flatMap { try? JSONDecoder().decode(AuthJSON.self, from: $0) }
        guard request.headers[.authorization] == "Basic \(client)", issued(accessToken: body?["access_token"]?.string)
        else { return .json(["message": "Not Found"], status: 404) }
        return .json(["user": ["id": 583_231, "login": "octocat"]])
    }
}
