public import AuthStreams
public import Foundation

/// A Firebase project and the settings of its requests.
///
/// ```swift
/// let project = FirebaseProject(id: "my-app", apiKey: "AIza…")
/// let same = FirebaseProject(plist: Bundle.main.url(forResource: "GoogleService-Info", withExtension: "plist"))
/// ```
///
/// ## Restricted projects
///
/// An API key that is restricted to bundle identifiers requires ``bundleID``; services that enforce App Check require
/// ``appCheckToken``. Both are sent with every request, to Identity Toolkit, Secure Token and functions:
///
/// ```swift
/// FirebaseProject(id: "my-app", apiKey: "AIza…", appCheckToken: {
///     Secret(try await AppCheck.appCheck().token(forcingRefresh: false).token)
/// })
/// ```
public struct FirebaseProject: Sendable {
    /// The project's identifier, such as `my-app-1a2b3`. It is part of the functions' host name.
    public var id: String
    /// The Web API key of the console. It identifies the project and is not secret.
    public var apiKey: String
    /// The tenant, in projects that have several (Identity Platform). Users of one tenant don't exist in another.
    public var tenantID: String?
    /// The app's bundle identifier, sent as `X-Ios-Bundle-Identifier`; `nil` or empty sends none.
    public var bundleID: String?
    /// Gets an App Check token, sent as `X-Firebase-AppCheck`.
    ///
    /// Called before each request, so it should return a cached token while that is valid, as the App Check SDK does.
    ///
    /// | the closure | consequence |
    /// | --- | --- |
    /// | returns `nil` or an empty token | the request is sent without it; the server decides whether that is allowed |
    /// | throws an `AuthError` | the request ends with it, before anything is sent |
    /// | throws anything else | the same, with code `network` or `unexpected` and a scrubbed cause |
    /// | takes longer than ``appCheckTimeLimit`` | the request ends with `timedOut`, before anything is sent |
    /// | ignores that the task is cancelled | the request ends at once |
    ///
    /// None of its errors ends the session: only the server may do that.
    public var appCheckToken: (@Sendable () async throws -> Secret?)?
    /// How long ``appCheckToken`` may take, by the clock of the repository or client.
    public var appCheckTimeLimit: Duration
    /// Further header fields of every request, such as `X-Firebase-Locale`. A field that the protocol needs is never
    /// replaced. Values may be secrets, so none is ever printed.
    public var headers: [HeaderName: String]
    /// Where the project's services are.
    public var endpoints: Endpoints
    /// Why the property list could not be used; `nil` if it could, or there was none.
    private var plistError: AuthError?

    /// Makes a project.
    ///
    /// - Parameters:
    ///   - id: The project's identifier.
    ///   - apiKey: The Web API key.
    ///   - tenantID: The tenant, if the project has several.
    ///   - bundleID: The app's bundle identifier; on Apple platforms the running app's unless given.
    ///   - appCheckTimeLimit: How long an App Check token may take.
    ///   - appCheckToken: Gets an App Check token; `nil` for a project that enforces none.
    ///   - headers: Further header fields.
    ///   - endpoints: Where the services are.
    public init(
        id: String, apiKey: String, tenantID: String? = nil, bundleID: String? = Self.runningBundleID,
        appCheckTimeLimit: Duration = .seconds(15), appCheckToken: (@Sendable () async throws -> Secret?)? = nil,
        headers: [HeaderName: String] = [:], endpoints: Endpoints = .production
    ) {
        self.id = id
        self.apiKey = apiKey
        self.tenantID = tenantID
        self.bundleID = bundleID
        self.appCheckTimeLimit = appCheckTimeLimit
        self.appCheckToken = appCheckToken
        self.headers = headers
        self.endpoints = endpoints
    }

    /// Makes the project of the property list that the Firebase console offers for an app, `GoogleService-Info.plist`.
    ///
    /// The file is read here, and of it `PROJECT_ID`, `API_KEY` and `BUNDLE_ID`. The other settings can be set afterwards.
    ///
    /// A file that is missing, is no property list, has no text for one of these keys, or is of another app is not used: each
    /// request ends with `misconfigured`, whose explanation says what is wrong and what to do, and nothing is sent.
    ///
    /// - Parameters:
    ///   - url: The file; ``bundledPlist`` unless given. `nil` stands for one that is not in the bundle, as
    ///     `Bundle.url(forResource:withExtension:)` answers.
    ///   - bundleID: The app's bundle identifier, which the file must name; on Apple platforms the running app's unless
    ///     given. With `nil` it is the file's.
    public init(plist url: URL? = Self.bundledPlist, bundleID: String? = Self.runningBundleID) {
        self.init(id: "", apiKey: "", bundleID: bundleID)
        do throws(AuthError) {
            let info = try GoogleServiceInfo(at: url)
            self.bundleID = try info.requireBundleID(bundleID)
            id = try info.text(for: "PROJECT_ID")
            apiKey = try info.text(for: "API_KEY")
        } catch {
            plistError = error
        }
    }

    /// - Throws: `misconfigured` if the project is of a property list that could not be used.
    func requirePlist() throws(AuthError) { if let plistError { throw plistError } }

    /// The file `GoogleService-Info.plist` in the bundle of the app, also in that of an extension; `nil` if there is none.
    public static var bundledPlist: URL? { GoogleServiceInfo.bundled }

    /// The bundle identifier of the running app, also in an extension of it; `nil` on systems without bundles, such as
    /// Linux.
    @usableFromInline static var runningBundleID: String? { Bundle.appIdentifier }
}

extension FirebaseProject {
    /// The hosts of Firebase's services: Google's, or an emulator in place of all of them.
    public struct Endpoints: Equatable, Sendable {
        private let base: URL?

        /// Google's own hosts.
        public static let production = Self(base: nil)

        /// An emulator: `https://HOST/PATH` becomes `BASE/HOST/PATH`.
        ///
        /// - Parameter base: The emulator's URL, such as `http://127.0.0.1:9099`.
        public static func emulator(at base: URL) -> Self { Self(base: base) }

        func url(_ production: URL) -> URL { base.map(production.relocated(onto:)) ?? production }
    }
}

extension FirebaseProject: DescriptionOnly {
    /// The project's identifier; never the header fields, which may hold secrets.
    public var description: String { "Firebase project \(id)" }
}
