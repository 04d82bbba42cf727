public import AuthStreams
import Foundation
import LoopbackHTTP

/// Collects the secrets of every request and answer by their protocol names.
final class SecretStore: Sendable {
    private let secrets = Lock(KeyedStore<IssuedSecret>("secret", limit: EmulatorLimit.secrets))

    private static let names: Set<String> = [
        "code", "authCode", "server_code", "serverAuthCode", "code_verifier", "codeVerifier", "nonce", "id_token",
        "idToken", "oauthIdToken",
        "access_token", "accessToken", "oauthAccessToken", "refresh_token", "refreshToken", "token", "customToken",
        "pendingToken", "sessionCookie", "device_code", "user_code", "verification_uri_complete",
        "password", "newPassword", "oobCode", "mfaPendingCredential", "sharedSecretKey", "sessionInfo",
        "secret", "uri", "token_hash", "current_password", "agt",
    ]

    var all: [IssuedSecret] { secrets.withLock { $0.all } }

    func collect(from request: EmulatorRequest) {
        collect(request.query.items + request.form.items, host: request.host)
        if let token = request.bearerToken ?? request.dpopToken { note("access_token", token, host: request.host) }
        if let token = request.header("X-Firebase-AppCheck") { note("app_check", token, host: request.host) }
        if request.form.items.isEmpty, let json = request.json { collect(json, host: request.host) }
    }

    func collect(from response: LoopbackResponse, host: String) {
        if let location = response.headers.first(where: { $0.name == "Location" })?.value {
            // Not only by URLComponents: a callback may be a URL of an app's own scheme.
            for part in location.split(whereSeparator: { $0 == "?" || $0 == "#" }).dropFirst() {
                collect(FormCoding.decode(String(part)) ?? [], host: host)
            }
        }
        // An oversized answer contains no secret, and parsing it takes seconds.
        guard response.status < 500, response.body.count < 65_536, response.body.first == UInt8(ascii: "{")
        else { return }
        if let json = AuthJSON(json: response.body) { collect(json, host: host) }
    }

    /// Records a secret that no parameter or member contains, such as the fields of a page that posts itself.
    func note(_ name: String, _ value: String, host: String) {
        // Naver's app answers with an error number in the place of the code; a value that short is not a secret.
        guard value.utf8.count > 4 else { return }
        secrets.withLock { secrets in
            if secrets[value] == nil { secrets[value] = IssuedSecret(host: host, name: name, value: Secret(value)) }
        }
    }

    private func collect(_ items: [(name: String, value: String)], host: String) {
        for item in items where Self.names.contains(item.name) { note(item.name, item.value, host: host) }
    }

    private func collect(_ json: AuthJSON, host: String) {
        switch json {
        case .array(let elements):
            for element in elements { collect(element, host: host) }
        case .object(let members):
            for (name, member) in members {
                if let text = member.string {
                    if Self.names.contains(name) { note(name, text, host: host) }
                    // Firebase sends the provider's tokens in a form inside the JSON.
                    if name == "postBody" { collect(FormCoding.decode(text) ?? [], host: host) }
                    // The emulated phone apps receive the whole callback.
                    if name == "redirect", let query = text.split(separator: "?").last {
                        collect(FormCoding.decode(String(query)) ?? [], host: host)
                    }
                } else {
                    collect(member, host: host)
                }
            }
        default: break
        }
    }
}

/// A code, token, nonce or verifier that passed through an emulator.
///
/// For tests of leaks: an app must not store, log or show one.
public struct IssuedSecret: Hashable, Sendable {
    /// The host where it was seen first, such as `kauth.kakao.com`.
    package let host: String
    /// The name it had there, such as `access_token`, `code`, `nonce`, `code_verifier` or `app_check`.
    package let name: String
    /// The value.
    public let value: Secret

    private static let hostsOfSessions = [
        "identitytoolkit.googleapis.com", "securetoken.googleapis.com", EmulatorConfiguration.Server.host,
        EmulatorConfiguration.Supabase.host,
    ]

    private static let namesOfAttempts: Set<String> = [
        "nonce", "app_check", "password", "newPassword", "oobCode", "mfaPendingCredential", "sharedSecretKey",
        "sessionInfo", "secret", "uri",
    ]

    /// Whether it belongs to the attempt at a provider, and not to the server's session.
    ///
    /// A session's own tokens are stored by design; a provider's never are.
    public var isProviderSecret: Bool {
        Self.namesOfAttempts.contains(name) || !Self.hostsOfSessions.contains(host)
    }
}

extension IssuedSecret: CustomStringConvertible {
    /// The host and the name, never the value.
    public var description: String { "\(name) at \(host)" }
}
