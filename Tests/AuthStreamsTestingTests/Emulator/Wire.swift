import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsTesting

/// A client that speaks to an emulator by hand: what is sent and what comes back, nothing in between.
struct Wire {
    let emulator: Emulator
    private let transport = URLSessionTransport.untimed()

    init(_ emulator: Emulator) {
        self.emulator = emulator
    }

    var configuration: EmulatorConfiguration { emulator.configuration }

    func get(
        _ url: String, _ query: [String: String?] = [:], headers: [HeaderName: String] = [:], bearer: String? = nil
    ) async throws -> AuthHTTPResponse {
        try await send(.get, url, query: query, headers: headers, bearer: bearer)
    }

    func post(
        _ url: String, _ form: [String: String?] = [:], headers: [HeaderName: String] = [:], bearer: String? = nil
    ) async throws -> AuthHTTPResponse {
        try await send(.post, url, form: Self.list(form), headers: headers, bearer: bearer)
    }

    private func send(
        _ method: AuthHTTPRequest.Method, _ url: String, query: [String: String?] = [:],
        form: [(name: String, value: String)] = [],
        headers: [HeaderName: String] = [:], bearer: String? = nil
    ) async throws -> AuthHTTPResponse {
        let parameters = FormCoding.encode(Self.list(query))
        let production = parameters.isEmpty ? url : "\(url)?\(parameters)"
        let target = url.hasPrefix("http://") ? try #require(URL(string: production)) : emulator.url(for: production)
        var request = AuthHTTPRequest(method, target, headers: headers, maximumResponseBytes: 20_000_000)
        if let bearer { request.headers[.authorization] = "Bearer \(bearer)" }
        if method == .post {
            request.headers[.contentType] = FormCoding.contentType
            request.body = Data(FormCoding.encode(form).utf8)
        }
        return try await transport.send(request)
    }

    private static func list(_ fields: [String: String?]) -> [(name: String, value: String)] {
        fields.compactMap { name, value in value.map { (name: name, value: $0) } }
    }

    /// Fills in the form of a consent page and sends it.
    ///
    /// - Parameter leftOut: The scopes whose boxes are unchecked first.
    func answer(
        _ page: AuthHTTPResponse, _ decision: String, user: String? = nil, without leftOut: Set<String> = []
    ) async throws -> AuthHTTPResponse {
        #expect(page.status == 200)
        let form = try #require(HTMLPage(page.text).forms.first)
        let button = try #require(form.buttons.first { $0.value == decision })
        let fields = try #require(form.fields(pressing: button, choosing: user))
        let target = emulator.baseURL.absoluteString + (try #require(form.action))
        let sent = fields.filter { field in
            field.name != "item" || !leftOut.contains { field.value.hasSuffix(" \($0)") }
        }
        return try await send(.post, target, form: sent)
    }

    /// The callback of a person who agrees: where it goes without query, and what it carries.
    func approve(
        _ page: AuthHTTPResponse, user: String? = nil, without leftOut: Set<String> = []
    ) async throws -> Callback {
        try Callback(try await answer(page, "approve", user: user, without: leftOut))
    }

    /// The tokens for a code of Kakao's that the app's native key asked for, unless the changes say otherwise.
    func kakaoTokens(_ code: String?, _ changes: [String: String?] = [:]) async throws -> AuthHTTPResponse {
        let kakao = configuration.kakao
        let exchange: [String: String?] = [
            "grant_type": "authorization_code", "client_id": kakao.nativeAppKey,
            "redirect_uri": kakao.nativeRedirectURI, "code": code,
        ]
        return try await post("https://kauth.kakao.com/oauth/token", exchange.with(changes))
    }

    /// The callback of a person who refuses.
    func deny(_ page: AuthHTTPResponse) async throws -> Callback {
        try Callback(try await answer(page, "deny"))
    }
}

/// Where an answer sends the browser, and with what.
struct Callback {
    let target: String
    let parameters: [String: String]

    init(_ response: AuthHTTPResponse) throws {
        #expect(response.status == 303)
        try self.init(try #require(response.headers["location"]))
    }

    init(_ location: String) throws {
        let parts = location.split(separator: "?", maxSplits: 1).map(String.init)
        target = try #require(parts.first)
        let fields = try #require(FormCoding.decode(parts.count > 1 ? parts[1] : ""))
        parameters = Dictionary(fields.map { ($0.name, $0.value) }) { first, _ in first }
    }

    subscript(name: String) -> String? { parameters[name] }
}

extension AuthHTTPResponse {
    var text: String { String(decoding: body, as: UTF8.self) }

    var json: AuthJSON? { try? JSONDecoder().decode(AuthJSON.self, from: body) }

    /// A page of a service that explains and leads nowhere.
    var isDeadEnd: Bool { status >= 400 && headers["location"] == nil && !text.contains("<form") }

    subscript(name: String) -> String? { json?[name]?.string }

    /// The claims of a token in the answer.
    func claims(_ name: String) throws -> AuthJSON {
        let token = try #require(self[name])
        return try #require(JSONWebToken(Secret(token))).claims
    }
}

/// A PKCE pair: the one of RFC 7636 appendix B.
enum Pair {
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
}

extension [String: String?] {
    /// The same parameters, some of them replaced, or removed with `nil`.
    func with(_ changes: [String: String?]) -> Self { merging(changes) { _, new in new } }
}

extension EmulatorConfiguration {
    /// The defaults, in a time that a test moves.
    init(at clock: ManualClock) {
        self.init(clock: clock.authClock(startingAt: Date(timeIntervalSince1970: 1_750_000_000)))
    }
}
