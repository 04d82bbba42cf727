import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

/// Speaks to the app's own server by hand; the providers' tokens are those of the other backend's tests.
extension EmulatedBackend {
    /// Calls the server's `/auth/NAME`.
    func api(
        _ name: String, _ body: AuthJSON? = nil, accessToken: String? = nil, method: AuthHTTPRequest.Method = .post,
        type: String = "application/json"
    ) async throws -> ServerReply {
        var request = AuthHTTPRequest(
            method, emulator.url(for: "\(EmulatorConfiguration.Server.baseURL)/auth/\(name)"),
            headers: [.contentType: type])
        request.body = try body.map { try JSONEncoder().encode($0) }
        request.headers[.authorization] = accessToken.map { "Bearer \($0)" }
        return ServerReply(try await transport.send(request))
    }

    /// Signs in with Google's ID token for a person.
    func signInAtServer(_ person: String = "1001", email: String = "minji@example.com") async throws -> ServerTokens {
        let token = googleToken(["sub": .string(person), "email": .string(email)])
        return try ServerTokens(await api("sign-in", ["provider": "google.com", "idToken": .string(token)]))
    }

    func refreshAtServer(_ token: String) async throws -> ServerReply {
        try await api("refresh", ["refreshToken": .string(token)])
    }

    func deleteAtServer(_ accessToken: String?) async throws -> ServerReply {
        try await api("account", accessToken: accessToken, method: .delete)
    }
}

/// What the server answered.
struct ServerReply: Sendable {
    let response: AuthHTTPResponse
    let json: AuthJSON

    init(_ response: AuthHTTPResponse) {
        self.response = response
        json = (try? JSONDecoder().decode(AuthJSON.self, from: response.body)) ?? .null
    }

    var status: Int { response.status }
    subscript(member: String) -> AuthJSON? { json[member] }

    /// Status and name of a problem; `nil` for what is not well-formed problem details.
    var problem: String? {
        guard response.headers[.contentType] == "application/problem+json",
            json["status"]?.lenientInteger == Int64(status), json["title"]?.string?.isEmpty == false,
            let type = json["type"]?.string
        else { return nil }
        return "\(status) \(type.split(separator: "/").last ?? "")"
    }
}

/// The tokens of an answer that has some.
struct ServerTokens: Sendable {
    let access: String
    let refresh: String
    let userID: String

    init(_ reply: ServerReply) throws {
        access = try #require(reply["accessToken"]?.string, "\(reply.status)")
        refresh = try #require(reply["refreshToken"]?.string)
        userID = try #require(reply["user"]?["id"]?.string)
    }
}
