import AuthStreams
import Foundation
import LoopbackHTTP

extension EmulatorContext {
    /// Calls an app's server, and follows no redirect. The fields are sent in the query of a GET, otherwise as a form.
    ///
    /// - Parameter limit: How long a server that is not emulated has for the answer.
    /// - Returns: The status of the answer; `nil` if there is no address or was no answer in time.
    func send(
        _ method: AuthHTTPRequest.Method = .post, to address: String?, _ fields: [(name: String, value: String?)] = [],
        json: AuthJSON? = nil, authorization: String? = nil, within limit: Duration = .seconds(30)
    ) async -> Int? {
        let target = address.map { method == .get ? AuthorizationRedirect.adding(fields, to: $0) : $0 }
        guard let url = target.flatMap(URL.init(string:)) else { return nil }
        var request = AuthHTTPRequest(method, url, timeout: limit)
        request.headers[.authorization] = authorization
        if method != .get {
            request.headers[.contentType] = json == nil ? FormCoding.contentType : "application/json"
            request.body = json?.data ?? Data(AuthorizationRedirect.adding(fields, to: "").utf8.dropFirst())
        }
        guard let host = url.host()?.lowercased(), world.services[host] != nil else {
            return try? await URLSessionTransport(clock: configuration.clock).send(request).status
        }
        let received = LoopbackRequest(
            method: method.rawValue, target: "/\(host)\(url.path())\(url.query().map { "?\($0)" } ?? "")",
            headers: request.headers.map { (name: $0.key.canonical, value: $0.value) }, body: request.body ?? Data())
        guard let received, let call = EmulatorRequest(received, caller: .service) else { return nil }
        return await self.call(call).status
    }
}

extension EmulatorConfiguration {
    /// - Throws: `AuthError` with code `misconfigured` and the first address of an app's server that cannot be called.
    func checkWebhooks() throws(AuthError) {
        for (_, address) in webhooks where !Self.canCall(address) {
            throw AuthError(
                .misconfigured, "The address '\(address)' of a report is not http or https with a host. Correct it.")
        }
    }

    /// The addresses of an app's server, by their settings.
    var webhooks: [(path: [String], address: String)] {
        apple.notificationURLs.enumerated().map { (["apple", "notificationURLs", "\($0)"], $1) }
            + [
                (["kakao", "unlinkWebhook"], kakao.unlinkWebhook), (["naver", "unlinkCallback"], naver.unlinkCallback),
            ]
            .compactMap { path, address in address.map { (path, $0) } }
    }

    static func canCall(_ address: String) -> Bool {
        URL(string: address).map { (try? AuthHTTPRequest(.post, $0).validate()) != nil } ?? false
    }
}
