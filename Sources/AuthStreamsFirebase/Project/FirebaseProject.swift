public import AuthStreams
public import Foundation

/// A Firebase project as an app names it: what every request to it needs.
///
/// ```swift
/// let project = FirebaseProject(id: "my-app", apiKey: "AIza…")
/// ```
public struct FirebaseProject: Sendable {
    /// The project's identifier, such as `my-app-1a2b3`. It is part of the functions' host name.
    public var id: String
    /// The Web API key of the console. It names the project and is no secret.
    public var apiKey: String
    /// The tenant, in projects that have several (Identity Platform). Users of one tenant don't exist in another.
    public var tenantID: String?
    /// Where the project's services are.
    public var endpoints: Endpoints
    /// Header fields that go with every request, functions included.
    ///
    /// Asked before each request, so a token in it may be short-lived. Restricted API keys want
    /// `X-Ios-Bundle-Identifier`, projects that enforce App Check `X-Firebase-AppCheck`. What it throws ends the request
    /// before anything is sent.
    public var headers: @Sendable () async throws -> [HeaderName: String]

    /// Names a project.
    public init(
        id: String, apiKey: String, tenantID: String? = nil, endpoints: Endpoints = .production,
        headers: @escaping @Sendable () async throws -> [HeaderName: String] = { [:] }
    ) {
        self.id = id
        self.apiKey = apiKey
        self.tenantID = tenantID
        self.endpoints = endpoints
        self.headers = headers
    }
}

extension FirebaseProject {
    /// Where Firebase's services are: Google's hosts, or an emulator that stands for all of them.
    public struct Endpoints: Hashable, Sendable {
        private let base: URL?

        /// Google's own hosts.
        public static let production = Self(base: nil)

        /// An emulator: `https://HOST/PATH` becomes `BASE/HOST/PATH`.
        ///
        /// - Parameter base: Where it listens, such as `http://127.0.0.1:9099`.
        public static func emulator(at base: URL) -> Self { Self(base: base) }

        func url(_ production: URL) -> URL { base.map(production.relocated(onto:)) ?? production }
    }
}
