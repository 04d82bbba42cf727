import AuthStreams
import LoopbackHTTP

/// Naver's API for holders of an access token: `openapi.naver.com`.
///
/// Its answers do not name the client, so a server must not accept an access token from an app.
struct NaverAPI: EmulatorService {
    var hosts: [String] { ["openapi.naver.com"] }

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        guard ["/v1/nid/me", "/v1/nid/verify"].contains(request.path) else { return nil }
        guard ["GET", "POST"].contains(request.method) else { return .methodNotAllowed("GET, POST") }
        if let error = request.requestedError { return failure(error, "As the test asked.") }
        guard request.header("Authorization") != nil else {
            return failure("028", "Authentication header not exists")
        }
        guard let token = context.grants.valid(request.bearerToken, .access, of: .naver) else {
            return failure("024", "Authentication failed")
        }
        var members: [String: AuthJSON] = ["resultcode": "00", "message": "success"]
        if request.path == "/v1/nid/me" { members["response"] = profile(of: token.grant, context) }
        return .json(.object(members))
    }

    /// Every value is a string, and only `id` is always present.
    private func profile(of grant: Grant, _ context: EmulatorContext) -> AuthJSON {
        var members: [String: AuthJSON] = ["id": .string(grant.userID)]
        if let user = context.configuration.naver.users.first(where: { $0.id == grant.userID }) {
            members["name"] = .string(user.name)
            members["nickname"] = .string(user.name)
            members.add("email", user.email)
            members.add("profile_image", user.pictureURL)
            members["age"] = "20-29"
            members["gender"] = "U"
        }
        return .object(members)
    }

    private func failure(_ code: String, _ message: String) -> LoopbackResponse {
        .json(["resultcode": .string(code), "message": .string(message)], status: 401)
    }
}
