import AuthStreams
package import Foundation

/// The URLs that open KakaoTalk to ask for a code.
///
/// `kakaokompassauth://authorize?client_id=…&redirect_uri=…&response_type=code&headers={"KA":…}&params={…}&deep_link_method=…`,
/// or the same inside a universal link. `params` has the parameters of the code request as JSON.
package struct KakaoTalkRequest: Sendable {
    package var clientID: String
    package var redirectURI: String
    /// Identifies this client to Kakao; see ``KakaoAgent``.
    package var agent: String
    /// `code_challenge`, `nonce` and so on.
    package var parameters: [String: String]

    package init(clientID: String, redirectURI: String, agent: String, parameters: [String: String]) {
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.agent = agent
        self.parameters = parameters
    }

    /// The URL for `canOpenURL`, which tells whether KakaoTalk is installed; the app lists the scheme in
    /// `LSApplicationQueriesSchemes`.
    package static let availabilityURL = URL(literal: "kakaokompassauth://authorize")

    /// The universal link, which no other app can claim. Open it with universal links only; otherwise a browser would
    /// open it.
    package var universalLink: URL? {
        customScheme(["universal_link"]).flatMap {
            URL(string: "https://talk-apps.kakao.com/scheme/\(FormCoding.escape($0.absoluteString))")
        }
    }

    /// The custom scheme, used after the universal link did not open. It tells KakaoTalk that both were tried.
    package var customSchemeFallback: URL? { customScheme(["universal_link", "uri_scheme"]) }

    private func customScheme(_ methods: [String]) -> URL? {
        guard let headers = Self.json(["KA": agent]), let params = Self.json(parameters) else { return nil }
        let query = FormCoding.encode([
            ("client_id", clientID), ("redirect_uri", redirectURI), ("response_type", "code"), ("headers", headers),
            ("params", params), ("deep_link_method", methods.joined(separator: ",")),
        ])
        return URL(string: "kakaokompassauth://authorize?\(query)")
    }

    /// Returns the object as JSON. Encoding texts does not fail.
    private static func json(_ object: [String: String]) -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(object)).flatMap { String(data: $0, encoding: .utf8) }
    }
}

/// The `KA` header by which Kakao's clients identify themselves.
///
/// Words of the form `key/value`. Kakao compares `origin` with the bundle identifier registered in the console. Words
/// for statistics only, such as screen and device model, are left out.
package enum KakaoAgent {
    package static func current(bundleID: String?) -> String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        let locale = Locale.current
        let language = locale.language.languageCode?.identifier ?? "ko"
        return describe(
            system: "\(systemName)-\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)",
            language: "\(language)-\(locale.region?.identifier ?? "KR")", bundleID: bundleID)
    }

    package static func describe(system: String, language: String, bundleID: String?) -> String {
        let words = [
            ("sdk", "1.0.0"), ("sdk_type", "swift"), ("os", system), ("lang", language), ("origin", bundleID ?? ""),
        ]
        return words.map { "\($0)/\($1.replacing(" ", with: "_"))" }.joined(separator: " ")
    }

    private static var systemName: String {
        #if os(iOS)
            "ios"
        #elseif os(macOS)
            "macos"
        #elseif os(tvOS)
            "tvos"
        #elseif os(watchOS)
            "watchos"
        #elseif os(visionOS)
            "visionos"
        #else
            "linux"
        #endif
    }
}
