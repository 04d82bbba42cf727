public import AuthStreams
import Foundation

/// A client of the Firebase Auth REST API: one method per endpoint, each one request, nothing retried.
///
/// Most apps use ``FirebaseRepository``. This client is for operations that a repository does not have, and for tools.
///
/// ## Errors
///
/// All are `AuthError`: the transport's error; the meaning of an error's code
/// (<https://firebase.google.com/docs/reference/rest/auth#section-error-format>) with the code in `serverCode`;
/// `server` for any 5xx and `rateLimited` for any 429; `invalidResponse` for an answer without a required member. A
/// server's messages are never included, because some of them quote tokens.
public struct IdentityToolkit: Sendable {
    let channel: FirebaseChannel
    var clock: AuthClock { channel.clock }
    var project: FirebaseProject { channel.project }

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - project: The project of the users.
    ///   - transport: Sends the requests.
    ///   - clock: Computes a token's lifetime, and measures the time limit of the App Check token.
    public init(project: FirebaseProject, transport: any AuthHTTPTransport, clock: AuthClock = .system) {
        channel = FirebaseChannel(project: project, transport: transport, clock: clock)
    }
}

extension IdentityToolkit {
    /// The members of a successful answer, and its date.
    struct Answer {
        let members: [String: AuthJSON]
        /// By the server's clock.
        let date: Date?

        subscript(name: String) -> AuthJSON? { members[name] }
    }

    private static let toolkitURL = "https://identitytoolkit.googleapis.com"
    private static let secureTokenURL = "https://securetoken.googleapis.com/v1/token"

    /// Sends a JSON body to `accounts:METHOD`.
    func post(
        _ body: [String: AuthJSON], to method: String, version: Int = 1
    ) async throws(AuthError) -> Answer {
        try await send(
            to: "\(Self.toolkitURL)/v\(version)/accounts:\(method)", contentType: "application/json",
            body: try FirebaseChannel.encode(.object(body)))
    }

    /// Sends a form to the token endpoint.
    func postToSecureToken(_ form: [(name: String, value: String)]) async throws(AuthError) -> Answer {
        try await send(
            to: Self.secureTokenURL, contentType: FormCoding.contentType, body: Data(FormCoding.encode(form).utf8))
    }

    private func send(to address: String, contentType: String, body: Data) async throws(AuthError) -> Answer {
        try project.requirePlist()
        guard !project.apiKey.isEmpty,
            let production = URL(string: "\(address)?key=\(FormCoding.escape(project.apiKey))")
        else {
            throw AuthError(
                .misconfigured, "The project has no API key. Copy the Web API key from the Firebase console.")
        }
        let url = project.endpoints.url(production)
        guard url.keepsSecrets else {
            throw AuthError(
                .misconfigured, "Tokens go only to https or to this machine. Correct the project's endpoints.")
        }
        let answer = try await channel.send(
            AuthHTTPRequest(.post, url, headers: [.contentType: contentType, .accept: "application/json"], body: body))
        guard answer.response.isSuccess else {
            throw IdentityToolkitRefusal(answer.response, to: answer.app).authError
        }
        guard let members = answer.response.jsonObject else {
            throw AuthError(
                .invalidResponse, "The answer is not a JSON object. Something between the app and Firebase answered.")
        }
        // Firebase sends errors with 4xx. An error with 200 is not its own, even with other members beside it.
        guard [nil, .null].contains(members["error"]) else {
            throw AuthError(
                .invalidResponse, "The answer is a success that holds an error. Something in between changed it.")
        }
        return Answer(members: members, date: answer.response.date)
    }
}
