public import AuthStreams
import Foundation
import LoopbackHTTP

/// The secrets in messages, by their protocol names.
struct FoundSecrets {
    private(set) var secrets: [IssuedSecret] = []
    private var values: Set<String> = []
    private let names: Set<String>

    init(names: Set<String> = Self.names) { self.names = names }

    /// The names of what the requests of one sign-in share, and two sign-ins do not.
    static let namesOfLinks = names.subtracting(["password", "newPassword", "current_password"]).union([
        "state", "ticket",
    ])

    static let names: Set<String> = [
        "code", "authCode", "server_code", "serverAuthCode", "code_verifier", "codeVerifier", "nonce", "id_token",
        "idToken", "oauthIdToken", "access_token", "accessToken", "oauthAccessToken", "refresh_token", "refreshToken",
        "token", "customToken", "pendingToken", "sessionCookie", "device_code", "user_code",
        "verification_uri_complete", "password", "newPassword", "oobCode", "mfaPendingCredential", "sharedSecretKey",
        "sessionInfo", "secret", "uri", "token_hash", "current_password", "agt",
    ]

    mutating func read(_ request: EmulatorRequest) {
        read(request.query.items + request.form.items, host: request.host)
        if let token = request.bearerToken ?? request.dpopToken { note("access_token", token, host: request.host) }
        if names == Self.names, let token = request.header("X-Firebase-AppCheck") {
            note("app_check", token, host: request.host)
        }
        if request.form.items.isEmpty, let json = request.json { read(json, host: request.host) }
    }

    mutating func read(answerOf exchange: Exchange) {
        let host = exchange.entry.host
        for secret in exchange.notes.secrets { note(secret.name, secret.value, host: secret.host) }
        if let location = exchange.location { read(location: location, host: host) }
        // The code of an error is no secret.
        let isError = (exchange.entry.status ?? 0) >= 400
        if let json = exchange.json.flatMap(AuthJSON.init(json:)) {
            read(json, host: host, without: isError ? "code" : nil)
        }
    }

    private mutating func read(location: String, host: String) {
        // Not only by URLComponents: a callback may be a URL of an app's own scheme.
        for part in location.split(whereSeparator: { $0 == "?" || $0 == "#" }).dropFirst() {
            read(FormCoding.decode(String(part)) ?? [], host: host)
        }
    }

    private mutating func note(_ name: String, _ value: String, host: String) {
        // Naver's app answers with an error number in the place of the code; a value that short is not a secret.
        guard value.utf8.count > 4, values.insert(value).inserted else { return }
        secrets.append(IssuedSecret(host: host, name: name, value: Secret(value)))
    }

    private mutating func read(_ items: [(name: String, value: String)], host: String) {
        for item in items where names.contains(item.name) { note(item.name, item.value, host: host) }
    }

    private mutating func read(_ json: AuthJSON, host: String, without excluded: String? = nil) {
        switch json {
        case .array(let elements):
            for element in elements { read(element, host: host, without: excluded) }
        case .object(let members):
            // In one order, so that each reading gives an equal secret the same name.
            for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                if let text = member.string {
                    if names.contains(name), name != excluded { note(name, text, host: host) }
                    // Firebase sends the provider's tokens in a form inside the JSON.
                    if name == "postBody" { read(FormCoding.decode(text) ?? [], host: host) }
                    // The emulated phone apps receive the whole callback.
                    if name == "redirect", let query = text.split(separator: "?").last {
                        read(FormCoding.decode(String(query)) ?? [], host: host)
                    }
                } else {
                    read(member, host: host, without: excluded)
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
