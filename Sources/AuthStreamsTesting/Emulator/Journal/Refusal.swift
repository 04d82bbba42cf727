import AuthStreams
import LoopbackHTTP

/// Why a request was refused.
struct Refusal {
    /// The error of the answer, in the words of the service; `nil` for an answer without words.
    let reason: String?
    let mismatches: [Mismatch]

    /// - Returns: `nil` for a request that was not refused. Some errors have the status of a success or redirect to the app.
    init?(_ exchange: Exchange) {
        let members = exchange.json.flatMap(AuthJSON.init(json:))
        let redirect = exchange.location.flatMap { $0.split(separator: "?", maxSplits: 1).last }
        let fields = EmulatorParameters(redirect.flatMap { FormCoding.decode(String($0)) } ?? [])
        guard (exchange.entry.status ?? 0) >= 400 || members?["error"] != nil || fields["error"] != nil else {
            return nil
        }
        let error = members?["error"]?.object?["message"] ?? members?["error"]
        let code = error ?? members?["code"] ?? members?["error_code"] ?? members?["type"]
        let text = members?["error_description"] ?? members?["detail"] ?? members?["msg"] ?? members?["message"]
        let words = [code?.words, text?.words, fields["error"], fields["error_description"]].compactMap(\.self)
        let masks = SecretMasks(of: exchange)
        reason = (words.isEmpty ? exchange.notes.refusal : words.joined(separator: ": ")).map(masks.shown)
        mismatches = exchange.notes.mismatches
    }
}

/// The codes, tokens and secrets of a request and its answer, of which only the first characters are shown.
struct SecretMasks {
    /// The values, and how forms write them; longer ones first, because one may be a part of another.
    private let values: [(value: String, form: String)]

    init(of exchange: Exchange) {
        var found = FoundSecrets(
            names: FoundSecrets.names.union(["client_secret", "ticket", "id_token_hint", "client_assertion", "payload"])
        )
        if let request = exchange.request { found.read(request) }
        found.read(answerOf: exchange)
        let sorted = found.secrets.map { $0.value.reveal() }.sorted { $0.count > $1.count }
        values = sorted.map { ($0, String(FormCoding.encode([("", $0)]).dropFirst())) }
    }

    /// The start of a secret, and its length.
    static func start(of secret: String) -> String { "\(secret.prefix(min(6, secret.count / 3)))… (\(secret.count))" }

    /// The text with the start of each secret in its place; the start of a long text. A request has few secrets: with many, no text.
    func shown(_ text: String) -> String {
        guard values.count <= 100 else { return "…" }
        var shown = text
        for (value, form) in values {
            for form in [value, form] where shown.contains(form) {
                shown = shown.replacing(form, with: Self.start(of: value))
            }
        }
        return shown.count > 300 ? "\(shown.prefix(300))…" : shown
    }
}
