import AuthStreams
import AuthStreamsOAuth
import Foundation

/// A user agent whose page is answered by a function of the page's parameters and the redirect URI.
@MainActor
final class ScriptedAgent: UserAgent {
    typealias Answer = @MainActor ([String: String], URL) async throws -> String

    /// The parameters of every page that was shown.
    private(set) var pages: [[String: String]] = []
    private let answer: Answer
    let bindsAnswers: Bool

    /// - Parameter answer: Returns the callback URL.
    nonisolated init(bindsAnswers: Bool = true, _ answer: @escaping Answer) {
        (self.bindsAnswers, self.answer) = (bindsAnswers, answer)
    }

    func authorize(_ page: AuthorizationPage) async throws(AuthError) -> AuthorizationAnswer {
        let redirectURI =
            switch page.redirect {
            case .redirect(let uri): uri
            case .loopback(let path): URL(literal: "http://127.0.0.1:4711").appending(path: path)
            }
        let query = page.url(redirectURI: redirectURI).query(percentEncoded: true) ?? ""
        let parameters = Dictionary((FormCoding.decode(query) ?? []).map { ($0.name, $0.value) }) { first, _ in first }
        pages.append(parameters)
        return try await AuthError.wrapping {
            guard let url = URL(string: try await answer(parameters, redirectURI)) else {
                throw AuthError(.unexpected, "The test's callback is no URL.")
            }
            return AuthorizationAnswer(url: url, redirectURI: redirectURI, isBound: bindsAnswers)
        }
    }
}

/// A callback URL with these fields.
func callback(_ place: URL, _ fields: KeyValuePairs<String, String>) -> String {
    "\(place.absoluteString)?\(FormCoding.encode(fields.map { ($0.key, $0.value) }))"
}
