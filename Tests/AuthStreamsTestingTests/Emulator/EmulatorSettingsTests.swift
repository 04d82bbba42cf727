import AuthStreams
import AuthStreamsOAuth
import Foundation
import Testing

@testable import AuthStreamsTesting

/// The emulator's configuration as JSON.
@Suite struct EmulatorSettingsTests {
    private static func configuration(_ text: String) throws -> EmulatorConfiguration {
        try EmulatorConfiguration(json: Data(text.utf8))
    }

    @Test func whatIsWrittenCanBeReadAndChangesNothing() throws {
        var configuration = EmulatorConfiguration()
        configuration.google.others = [
            .init(id: "tv", secret: "s", kind: .limitedInput),
            .init(id: "web", kind: .web(redirectURIs: ["https://a.b/c"])),
        ]
        configuration.kakao.restSecret = nil
        configuration.server.refreshReuseWindow = .milliseconds(2_500)
        configuration.issuer.dpop = .required
        configuration.apple.transferIDs = ["1": "2"]
        for start in [EmulatorConfiguration(), configuration] {
            #expect(try EmulatorConfiguration(json: start.json).json == start.json)
        }
        let read = try EmulatorConfiguration(json: configuration.json)
        #expect(read.google.others == configuration.google.others && read.kakao.restSecret == nil)
        #expect(read.server.refreshReuseWindow == .milliseconds(2_500) && read.issuer.dpop == .required)
    }

    @Test func whatIsNotSaidStaysAsItIs() throws {
        let configuration = try Self.configuration(
            """
            {
              "appName": "Bookshelf",
              "kakao": { "restAPIKey": "key", "redirectURIs": ["http://localhost:3000/kakao"], "restSecret": null },
              "google": { "users": [{ "id": "42", "name": "Jin Park", "email": "jin@gmail.example" }] },
              "issuer": { "accessTokenLifetime": 1.5 }
            }
            """)
        let start = EmulatorConfiguration()
        #expect(configuration.appName == "Bookshelf" && configuration.kakao.restAPIKey == "key")
        #expect(configuration.kakao.restSecret == nil && configuration.kakao.users == start.kakao.users)
        #expect(configuration.google.users == [EmulatorUser(id: "42", name: "Jin Park", email: "jin@gmail.example")])
        #expect(configuration.google.clients == start.google.clients)
        #expect(configuration.issuer.accessTokenLifetime == .milliseconds(1_500))
        #expect(try Self.configuration("{}").json == start.json)
    }

    /// Text, line, and words of the reason.
    private static let wrong: [(String, Int, String)] = [
        ("", 1, "ends too early"), ("{\n\"appName\": }", 2, "'appName': Invalid JSON value"),
        ("{\n\"appName\": \"a\",\n}", 3, "name of a member"), ("{\"appName\" \"a\"}", 1, "Expected a colon"),
        ("{}\n\n{}", 3, "follows the end"), ("{\"allowedHosts\": [\"a\" \"b\"]}", 1, "end of the list"),
        ("{\"appName\": \"a", 1, "Invalid JSON value"), ("{\"appName\": \"a\"", 1, "end of the object"),
        ("[]", 1, "an object"),
        ("{\n\"appname\": \"a\"}", 2, "'appname': Unknown setting. Known settings: appName, allowedHosts"),
        ("{\"appName\": \"a\",\n\n\"appName\": \"b\"}", 3, "'appName': The setting appears twice."),
        ("{\"kakao\": {\n\"appID\": \"1\"}}", 2, "'kakao.appID': Expected a whole number, found \"1\"."),
        ("{\"kakao\": {\n\"appID\": -1}}", 2, "whole number"), ("{\"kakao\": {\"appID\": 1.5}}", 1, "whole number"),
        ("{\"firebase\":\n{\"signsTokens\":\n0}}", 2, "'firebase.signsTokens': Expected true or false, found 0."),
        ("{\"issuer\": {\"accessTokenLifetime\": -1}}", 1, "a number of seconds"),
        ("{\"issuer\": {\"dpop\": \"maybe\"}}", 1, "one of required, supported, unsupported"),
        (
            "{\"naver\": {\"users\": [\n{\"id\": \"1\", \"name\": \"A\"},\n{\"id\": \"2\"}]}}", 3,
            "'naver.users.1': 'name' is missing."
        ),
        (
            "{\"naver\": {\"users\": [\n{\"id\": \"1\", \"mail\": \"A\"}]}}", 2,
            "'naver.users.0.mail': Unknown setting"
        ),
        (
            "{\"naver\":\n {\"users\": [{\"id\": \"1\", \"name\": \"A\"},\n{\"id\": \"1\", \"name\": \"B\"}]}}", 3,
            "'naver.users.1.id': Two users have the identifier '1'."
        ),
        (
            "{\"google\": {\"others\": [{\"id\": \"1001-web.apps.googleusercontent.com\", \"kind\": \"desktop\"}]}}", 1,
            "'google.others.0.id': Two clients"
        ),
        (
            "{\"google\": {\"iOS\": {\"redirectURIs\": [\"a:/b\"]}}}", 1,
            "'google.iOS.redirectURIs': A client of kind web"
        ),
        (
            "{\"apple\": {\"notificationURLs\": [\"http://a.b\",\n\"ftp://a.b\"]}}", 2,
            "'apple.notificationURLs.1': The address 'ftp://a.b' of a report is not http or https"
        ),
        ("{\"appName\": \"\\ud800\"}", 1, "Invalid JSON value"),
        (String(repeating: "[", count: 100_000), 1, "nested too deeply"),
    ]

    @Test func wrongTextSaysLineAndReason() throws {
        for (text, line, reason) in Self.wrong {
            let error = #expect(throws: AuthError.self) { try Self.configuration(text) }
            #expect(error?.code == .misconfigured)
            let message = "\(error as Any)"
            #expect(
                message.contains("Line \(line) of the configuration") && message.contains(reason), "\(text.prefix(80))")
        }
        let error = #expect(throws: AuthError.self) { try EmulatorConfiguration(json: Data([0x7B, 0xFF, 0x7D])) }
        #expect("\(error as Any)".contains("The text is not UTF-8."))
    }

    @Test(.enabled(if: EmulatorCrypto.isAvailable)) func applesKeyIsTheOneThatItsClientSecretsAreCheckedWith() throws {
        let lines = EmulatorConfiguration().apple.privateKey.split(separator: "\n")
        #expect(lines.first == "-----BEGIN PRIVATE KEY-----" && lines.last == "-----END PRIVATE KEY-----")
        #expect(lines.allSatisfy { $0.count <= 64 })
        let key = try SigningKey(DevelopmentKeys.bytes(lines.dropFirst().dropLast().joined()))
        let message = Data("message".utf8)
        #expect(EmulatorCrypto.isES256(try key.sign(message, algorithm: .es256), of: message))
    }

    @Test func schemaHasEverySettingAndItsDefault() throws {
        let schema = try #require(AuthJSON(json: EmulatorConfiguration.jsonSchema))
        let properties = try #require(schema["properties"]?.object)
        #expect(Set(properties.keys) == Set(EmulatorConfiguration.settings.map(\.name)))
        #expect(properties["appName"] == ["type": "string", "default": "PulseBoard"])
        #expect(properties["kakao"]?["properties"]?["restSecret"]?["default"] == "emulator-kakao-secret")
        #expect(properties["issuer"]?["properties"]?["dpop"]?["enum"] == ["required", "supported", "unsupported"])
        #expect(properties["kakao"]?["properties"]?["users"]?["items"]?["required"] == ["id", "name"])
    }
}

/// The article about the program shows a configuration that can be read, and each fault that it may have.
@Suite struct RunTheEmulatorArticleTests {
    private static let article = "Sources/AuthStreamsTesting/AuthStreamsTesting.docc/RunTheEmulator.md"

    @Test func configurationOfTheArticleIsRead() throws {
        let blocks = try MarkdownFile(Self.article).blocks.filter { $0.language == "json" }
        #expect(blocks.count == 1)
        for block in blocks {
            let configuration = try EmulatorConfiguration(json: Data(block.text.utf8))
            #expect(configuration.faults.count == 1 && configuration.consents.count == 1)
            #expect(configuration.clockOffset == 3600 && configuration.appName == "Bookshelf")
        }
    }

    @Test func everyFaultThatTheArticleNamesExists() throws {
        let text = try packageFile(Self.article)
        let rows = text.split(separator: "\n").drop { !$0.hasPrefix("| fault |") }.prefix { $0.hasPrefix("|") }
            .dropFirst(2)
        let names = rows.flatMap { row in
            row.split(separator: "|")[0].matches(of: /`(\w+)`/).map { String($0.output.1) }
        }
        #expect(names.count == 17)
        for name in names {
            var fault = EmulatorConfiguration.Fault()
            fault.name = name
            let values: [AuthJSON] = [.null, 200, "code"]
            #expect(
                values.contains {
                    fault.value = $0
                    return fault.fault != nil
                }, "\(name)")
        }
    }
}
