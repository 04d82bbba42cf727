import AuthStreams
import AuthStreamsFirebase
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// A project by the property list of the Firebase console, and what is wrong with one.
@Suite struct GoogleServiceInfoTests {
    private static let file = "GoogleService-Info.plist"
    /// What the console writes, in part.
    private static let values: [String: String] = [
        "API_KEY": "AIza key+1", "PROJECT_ID": "my-app", "BUNDLE_ID": "com.example.app",
        "CLIENT_ID": "1234-abc.apps.googleusercontent.com", "GOOGLE_APP_ID": "1:1234:ios:abcd",
    ]

    /// The error of a sign-in with Apple and of one through the function, which are the same; nothing is sent.
    private func error(with project: FirebaseProject) async -> AuthError? {
        let transport = ScriptedTransport()
        let factory = AuthRepositoryFactory.firebase(project)
        let repository = factory.repository(for: .isolated(transport: transport, clock: Fixture.clock))
        var errors: [AuthError] = []
        for credential in [Fixture.apple, Fixture.kakao] {
            do throws(AuthError) { _ = try await repository.signIn(with: credential) } catch { errors.append(error) }
        }
        #expect(transport.requests.isEmpty)
        #expect(errors.map(\.provider) == [.apple, .kakao] && Set(errors.map(\.explanation)).count == 1)
        return errors.first
    }

    private func error(
        _ content: Data?, named name: String = file, of bundleID: String? = "com.example.app"
    ) async throws -> AuthError? {
        try await withTemporaryFile(named: name, content) { url in
            await error(with: FirebaseProject(plist: url, bundleID: bundleID))
        }
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func theProjectIsThatOfTheFile(format: PropertyListSerialization.PropertyListFormat) async throws {
        let content = try propertyList(Self.values.merging(["IS_ADS_ENABLED": "no"]) { $1 }, in: format)
        try await withTemporaryFile(named: Self.file, content) { url in
            for bundleID in ["com.example.app", nil] {
                let project = FirebaseProject(plist: url, bundleID: bundleID)
                #expect(project.id == "my-app" && project.apiKey == "AIza key+1")
                #expect(project.bundleID == "com.example.app" && project.tenantID == nil)
            }
        }
    }

    @Test func requestsGoToTheProjectOfTheFile() async throws {
        try await withTemporaryFile(named: "GoogleService-Info-Dev.plist", propertyList(Self.values)) { url in
            let transport = ScriptedTransport(
                Fixture.signedIn(), Fixture.account, .json(#"{"error":{"status":"NOT_FOUND"}}"#, status: 404))
            var project = FirebaseProject(plist: url, bundleID: nil)
            project.headers = ["x-firebase-locale": "ko"]
            let repository = AuthRepositoryFactory.firebase(project, routes: .standard(functionsIn: .seoul))
                .repository(for: .isolated(transport: transport, clock: Fixture.clock))
            _ = try await repository.signIn(with: Fixture.apple)
            await #expect(throws: AuthError.self) { try await repository.signIn(with: Fixture.kakao) }
            #expect(transport.requests.first?.line.hasSuffix("accounts:signInWithIdp?key=AIza%20key%2B1") == true)
            #expect(
                transport.requests.last?.line == "POST https://asia-northeast3-my-app.cloudfunctions.net/socialLogin")
            for request in transport.requests {
                #expect(request.headers["x-ios-bundle-identifier"] == "com.example.app")
                #expect(request.headers["x-firebase-locale"] == "ko")
            }
        }
    }

    /// The tests have no bundle with such a file.
    @Test func aFileThatIsNotInTheBundleIsReportedByEveryWayToMakeOne() async throws {
        #expect(FirebaseProject.bundledPlist == nil)
        let missing = await error(with: FirebaseProject())
        #expect(missing?.code == .misconfigured)
        #expect(missing?.explanation.contains("not in the bundle of the app") == true)
        let absent = Bundle.main.url(forResource: "GoogleService-Info-Dev", withExtension: "plist")
        #expect(await error(with: FirebaseProject(plist: absent)) == missing)

        let transport = ScriptedTransport()
        let repository = AuthRepositoryFactory.firebase(functionsIn: .seoul)
            .repository(for: .isolated(transport: transport, clock: Fixture.clock))
        let refused = await #expect(throws: AuthError.self) { try await repository.signIn(with: Fixture.apple) }
        #expect(refused == missing && transport.requests.isEmpty)
    }

    @Test func aFileThatCannotBeReadIsReported() async throws {
        let error = try await error(nil)
        #expect(error?.code == .misconfigured && error?.explanation.hasPrefix("\(Self.file) cannot be read.") == true)
        #expect(error?.cause != nil)
        let page = URL(literal: "https://example.com/GoogleService-Info.plist")
        let web = await self.error(with: FirebaseProject(plist: page))
        #expect(web?.code == .misconfigured && web?.explanation.contains("scheme file") == true)
    }

    @Test(arguments: [
        "", "AIza", #"{"project_info":{"project_id":"my-app"},"client":[]}"#, "\0\u{1}", "bplist00",
        #"<?xml version="1.0"?><plist version="1.0"><array><string>API_KEY</string></array></plist>"#,
        #"<?xml version="1.0"?><plist version="1.0"><dict><key>API_KEY</key>"#,
    ])
    func aFileThatIsNoPropertyListWithKeysIsReported(content: String) async throws {
        let error = try await error(Data(content.utf8), named: "google-services.json")
        #expect(error?.code == .misconfigured)
        #expect(error?.explanation.hasPrefix("google-services.json is not a property list with keys.") == true)
    }

    @Test(arguments: ["API_KEY", "PROJECT_ID", "BUNDLE_ID"], [nil, "", 7, ["a"]] as [AuthJSON?])
    func aKeyWithoutATextIsReported(key: String, value: AuthJSON?) async throws {
        var values: [String: Any] = Self.values
        switch value {
        case .string(let text): values[key] = text
        case .integer(let number): values[key] = Int(number)
        case .array: values[key] = ["a"]
        default: values[key] = nil
        }
        let error = try await error(propertyList(values))
        #expect(error?.code == .misconfigured)
        #expect(error?.explanation.hasPrefix("\(Self.file) has no text for the key \(key).") == true)
        #expect(error?.explanation.contains("Download the file again") == true)
    }

    @Test func aFileOfAnotherAppIsReported() async throws {
        let error = try await error(propertyList(Self.values), of: "com.example.other")
        #expect(error?.code == .misconfigured)
        #expect(error?.explanation.contains("of the app com.example.app, and this app is com.example.other") == true)
    }

    @Test func noErrorShowsAValueOfTheFile() async throws {
        var values = Self.values
        values["PROJECT_ID"] = nil
        let error = try #require(try await error(propertyList(values)))
        let printed = everythingPrinted(of: error)
        for value in values.values { #expect(!printed.contains(value)) }
    }
}
