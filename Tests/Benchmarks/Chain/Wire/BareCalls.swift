import AuthStreams
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a sign-in asks of its servers, as one would write it in a script: a `POST`, and the few values that matter.
struct BareCalls: Sendable {
    /// A JSON object, read by `JSONSerialization`.
    typealias Answer = [String: Any]

    /// An answer without what comes next.
    struct Missing: Error {
        let name: String
    }

    /// What makes all requests; `nil` for one of its own each.
    let session: PlainSession?
    let base: URL

    /// The emulated place of a production URL.
    func place(_ url: StaticString) -> URL { URL(literal: url).relocated(onto: base) }

    func post(_ url: URL, form: [(name: String, value: String)]) async throws -> Answer {
        try await post(url, "application/x-www-form-urlencoded", Data(FormCoding.encode(form).utf8))
    }

    func post(_ url: URL, json: [String: Any]) async throws -> Answer {
        try await post(url, "application/json", try JSONSerialization.data(withJSONObject: json))
    }

    private func post(_ url: URL, _ type: String, _ body: Data) async throws -> Answer {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = body
        request.setValue(type, forHTTPHeaderField: "Content-Type")
        let (data, _) = try await (session ?? PlainSession()).data(for: request)
        return try JSONSerialization.jsonObject(with: data) as? Answer ?? [:]
    }
}

extension BareCalls.Answer {
    /// A text that must be there.
    func text(_ name: String) throws -> String {
        guard let text = self[name] as? String else { throw BareCalls.Missing(name: name) }
        return text
    }
}
