import AuthStreams
import AuthStreamsTesting
import Foundation

/// From a provider's proof to a user of Firebase, by bare calls.
struct BareFirebase: Sendable {
    let calls: BareCalls
    let project = EmulatorConfiguration().firebase

    /// - Parameter nonce: The raw one.
    func signIn(idToken: String, nonce: String, from provider: String) async throws {
        let assertion = FormCoding.encode([("id_token", idToken), ("providerId", provider), ("nonce", nonce)])
        let answer = try await calls.post(
            account("signInWithIdp"),
            json: ["requestUri": "http://localhost", "postBody": assertion, "returnSecureToken": true])
        try await lookUp(answer.text("idToken"))
    }

    /// - Parameter proof: What the function is given.
    func signIn(byFunction proof: [String: String]) async throws {
        let url = "https://\(project.functionsHost)/\(project.function)"
        let function = URL(string: url)?.relocated(onto: calls.base) ?? calls.base
        let result = try await calls.post(function, json: ["data": proof])["result"] as? BareCalls.Answer
        let answer = try await calls.post(
            account("signInWithCustomToken"),
            json: ["token": try (result ?? [:]).text("customToken"), "returnSecureToken": true])
        try await lookUp(answer.text("idToken"))
    }

    private func lookUp(_ idToken: String) async throws {
        let users = try await calls.post(account("lookup"), json: ["idToken": idToken])["users"] as? [BareCalls.Answer]
        _ = try (users?.first ?? [:]).text("localId")
    }

    private func account(_ method: String) -> URL {
        let url = "https://identitytoolkit.googleapis.com/v1/accounts:\(method)?key=\(project.apiKey)"
        return URL(string: url)?.relocated(onto: calls.base) ?? calls.base
    }
}
