public import AuthStreams
import Foundation
import LoopbackHTTP

/// The requests and answers whose codes and tokens a test may ask for. They are read when it asks.
final class SecretStore: Sendable {
    private enum Message {
        case request(EmulatorRequest)
        case answer(location: String?, json: Data?, host: String)
        /// A secret that no parameter or member contains, such as the fields of a page that posts itself.
        case secret(name: String, value: String, host: String)
    }

    /// Longer messages are not kept: they would take much memory, and seconds to parse.
    private static let maximumBytes = 65_536

    private let messages = Lock(RecentList<Message>("message that may contain secrets", limit: EmulatorLimit.messages))

    /// The secrets, in the order in which they were seen first.
    var all: [IssuedSecret] {
        var found = FoundSecrets()
        for message in messages.withLock(\.all) {
            switch message {
            case .request(let request): found.read(request)
            case .answer(let location, let json, let host):
                if let location { found.read(location: location, host: host) }
                if let json = json.flatMap(AuthJSON.init(json:)) { found.read(json, host: host) }
            case .secret(let name, let value, let host): found.note(name, value, host: host)
            }
        }
        return found.secrets
    }

    func collect(from request: EmulatorRequest) {
        guard request.body.count < Self.maximumBytes else { return }
        messages.withLock { $0.append(.request(request)) }
    }

    func collect(from response: LoopbackResponse, host: String) {
        let location = response.headers.first { $0.name == "Location" }?.value
        let isJSON = response.status < 500 && response.body.first == UInt8(ascii: "{")
        let json = isJSON && response.body.count < Self.maximumBytes ? response.body : nil
        guard location != nil || json != nil else { return }
        messages.withLock { $0.append(.answer(location: location, json: json, host: host)) }
    }

    func note(_ name: String, _ value: String, host: String) {
        messages.withLock { $0.append(.secret(name: name, value: value, host: host)) }
    }
}

/// The secrets in messages, by their protocol names.
private struct FoundSecrets {
    private(set) var secrets: [IssuedSecret] = []
    private var values: Set<String> = []

    private static let names: Set<String> = [
        "code", "authCode", "server_code", "serverAuthCode", "code_verifier", "codeVerifier", "nonce", "id_token",
        "idToken", "oauthIdToken", "access_token", "accessToken", "oauthAccessToken", "refresh_token", "refreshToken",
        "token", "customToken", "pendingToken", "sessionCookie", "device_code", "user_code",
        "verification_uri_complete", "password", "newPassword", "oobCode", "mfaPendingCredential", "sharedSecretKey",
        "sessionInfo", "secret", "uri", "token_hash", "current_password", "agt",
    ]

    mutating func read(_ request: EmulatorRequest) {
        read(request.query.items + request.form.items, host: request.host)
        if let token = request.bearerToken ?? request.dpopToken { note("access_token", token, host: request.host) }
        if let token = request.header("X-Firebase-AppCheck") { note("app_check", token, host: request.host) }
        if request.form.items.isEmpty, let json = request.json { read(json, host: request.host) }
    }

    mutating func read(location: String, host: String) {
        // Not only by URLComponents: a callback may be a URL of an app's own scheme.
        for part in location.split(whereSeparator: { $0 == "?" || $0 == "#" }).dropFirst() {
            read(FormCoding.decode(String(part)) ?? [], host: host)
        }
    }

    mutating func note(_ name: String, _ value: String, host: String) {
        // Naver's app answers with an error number in the place of the code; a value that short is not a secret.
        guard value.utf8.count > 4, values.insert(value).inserted else { return }
        secrets.append(IssuedSecret(host: host, name: name, value: Secret(value)))
    }

    private mutating func read(_ items: [(name: String, value: String)], host: String) {
        for item in items where Self.names.contains(item.name) { note(item.name, item.value, host: host) }
    }

    mutating func read(_ json: AuthJSON, host: String) {
        switch json {
        case .array(let elements):
            for element in elements { read(element, host: host) }
        case .object(let members):
            // In one order, so that each reading gives an equal secret the same name.
            for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                if let text = member.string {
                    if Self.names.contains(name) { note(name, text, host: host) }
                    // Firebase sends the provider's tokens in a form inside the JSON.
                    if name == "postBody" { read(FormCoding.decode(text) ?? [], host: host) }
                    // The emulated phone apps receive the whole callback.
                    if name == "redirect", let query = text.split(separator: "?").last {
                        read(FormCoding.decode(String(query)) ?? [], host: host)
                    }
                } else {
                    read(member, host: host)
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
