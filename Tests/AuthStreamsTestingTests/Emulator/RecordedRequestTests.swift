import AuthStreams
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsTesting

/// Requests of clients that were not written here, and what those clients read in the answers.
///
/// Each client has a file in `Recorded`. Its head says the version, whether the requests were recorded or written after the
/// client's source, and how the emulator is configured. Then each request stands as it was sent, and below it the status of the
/// answer and the members that the client reads:
///
/// ```
/// ### create a user
/// POST /identitytoolkit.googleapis.com/v1/projects/authstreams-demo/accounts
/// Content-Type: application/json
///
/// {"localId": "u1"}
///
/// => 200
/// localId = "u1"
/// ```
///
/// | an expectation | holds if |
/// | --- | --- |
/// | `=> page` | the answer is a page on which a person agrees. The members are the parameters of the redirect, or of the form that is posted |
/// | `users/0/email = "a@example.com"` | the member has that JSON value. A path leads into the claims of a token, too |
/// | `error/message = "INVALID_EMAIL…"` | the member is a text that begins so |
/// | `users = absent` | there is no such member |
/// | `idToken = {idToken}` | the member is a text that is not empty. Later requests have it where they say `{idToken}` |
@Suite(.limitedParallelization) struct RecordedRequestTests {
    private static let folder = "Tests/AuthStreamsTestingTests/Emulator/Recorded"
    private static let clients = [
        "authlib", "firebase-admin-python", "firebase-ios", "firebase-js", "google-auth", "mod-auth-openidc",
        "openid-client", "social-auth", "spring-security",
    ]

    @Test func everyFileIsPlayedAndSaysWhereItIsFrom() throws {
        let folder = packageRoot.appending(path: Self.folder)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
        #expect(files.filter { $0.hasSuffix(".http") }.sorted() == Self.clients.map { "\($0).http" })
        for client in Self.clients {
            let recording = try Recording(packageFile("\(Self.folder)/\(client).http"))
            #expect(["recorded", "written after its source"].contains(recording.head["requests"]), "\(client)")
            #expect(recording.head["client"]?.contains(where: \.isNumber) == true, "\(client) has a version.")
        }
    }

    @Test(arguments: clients) func clientReadsWhatItNeeds(client: String) async throws {
        let recording = try Recording(packageFile("\(Self.folder)/\(client).http"))
        #expect(!recording.steps.isEmpty)
        try await withEmulator(Self.configuration(recording.head["emulator"])) { emulator in
            var player = Player(emulator)
            for step in recording.steps { try await player.play(step) }
        }
    }

    /// The redirect URIs are those of the clients' documentation.
    private static func configuration(_ name: String?) -> EmulatorConfiguration {
        var configuration = EmulatorConfiguration()
        let callback = "http://localhost:8080/login/oauth2/code/"
        configuration.google.web.kind = .web(redirectURIs: ["https://app.example/google", callback + "google"])
        configuration.kakao.redirectURIs.append(callback + "kakao")
        configuration.naver.redirectURIs.append(callback + "naver")
        switch name {
        case nil: break
        case "unsigned Firebase tokens": configuration.firebase.signsTokens = false
        case "production issuers": configuration.issuerNames = .production
        default: Issue.record("No configuration has the name \(name ?? "").")
        }
        return configuration
    }
}

/// The requests of a client.
private struct Recording {
    /// A request, and what the answer has to have.
    struct Step {
        let name: String
        let method: String
        /// Path and query, as sent.
        let target: String
        var headers: [HeaderName: String] = [:]
        let body: String
        /// A status, or `page`.
        let answer: String
        let expectations: [(path: String, value: String)]
    }

    let head: [String: String]
    let steps: [Step]

    init(_ text: String) throws {
        var parts = text.split(separator: "\n### ").map(String.init)
        let lines = parts.removeFirst().split(separator: "\n").filter { $0.hasPrefix("# ") }
        let fields = lines.map { Self.halves(of: $0.dropFirst(2), at: ": ") }
        head = Dictionary(uniqueKeysWithValues: fields.map { ($0.0, $0.1) })
        steps = try parts.map(Self.step)
    }

    private static func step(_ text: String) throws -> Step {
        let (request, answer) = halves(of: text, at: "\n=> ")
        let (top, body) = halves(of: request, at: "\n\n")
        let lines = top.split(separator: "\n")
        try #require(lines.count > 1)
        let (method, target) = halves(of: lines[1], at: " ")
        let results = answer.split(separator: "\n")
        var step = Step(
            name: String(lines[0]), method: method, target: target,
            body: body.trimmingCharacters(in: .whitespacesAndNewlines), answer: String(try #require(results.first)),
            expectations: results.dropFirst().map { line in
                let (path, value) = halves(of: line, at: " = ")
                return (path, value)
            })
        for line in lines.dropFirst(2) {
            let (name, value) = halves(of: line, at: ": ")
            step.headers[HeaderName(name)] = value
        }
        return step
    }

    private static func halves(of text: some StringProtocol, at separator: String) -> (String, String) {
        guard let range = text.range(of: separator) else { return (String(text), "") }
        return (String(text[..<range.lowerBound]), String(text[range.upperBound...]))
    }
}

/// Sends the requests of a recording, with the values of this run.
private struct Player {
    private let wire: Wire
    private let transport = URLSessionTransport.untimed()
    private var values: [String: String]

    init(_ emulator: Emulator) {
        wire = Wire(emulator)
        let (now, apple) = (Date(), emulator.configuration.apple)
        let account: AuthJSON = "firebase-auth-emulator@example.com"
        let time = Int64(now.timeIntervalSince1970)
        // As an Admin SDK makes one for an emulator.
        let customToken: [AuthJSON] = [
            ["alg": "none", "typ": "JWT"],
            [
                "iss": account, "sub": account, "aud": .string(FirebaseTokens.customTokenAudience), "uid": "u2",
                "iat": .integer(time), "exp": .integer(time + 3600), "claims": ["role": "x"],
            ],
        ]
        values = [
            "base": emulator.baseURL.absoluteString, "now": "\(time)",
            "customToken": customToken.map { Base64URL.encode($0.data) }.joined(separator: ".") + ".",
            "appleSecret": apple.clientSecret(for: apple.servicesID, now: now, lifetime: 180 * 86_400),
        ]
    }

    mutating func play(_ step: Recording.Step) async throws {
        let target = wire.emulator.baseURL.absoluteString + filled(step.target, escaped: true)
        var request = AuthHTTPRequest(.init(rawValue: step.method), try #require(URL(string: target)))
        request.headers = step.headers.mapValues { filled($0) }
        let isForm = step.headers[.contentType]?.hasPrefix(FormCoding.contentType) == true
        if !step.body.isEmpty { request.body = Data(filled(step.body, escaped: isForm).utf8) }
        let response = try await transport.send(request)
        let answer: AuthJSON?
        if step.answer == "page" {
            answer = try await agree(to: response)
        } else {
            #expect("\(response.status)" == step.answer, "\(step.name): \(response.text)")
            answer = AuthJSON(json: response.body)
        }
        for (path, value) in step.expectations {
            let found = answer.flatMap { Self.member(path, of: $0) }
            try expect(found, value, "\(step.name): \(path)")
        }
    }

    /// Answers a consent page as the first person, and returns what the app gets.
    private func agree(to page: AuthHTTPResponse) async throws -> AuthJSON {
        let answer = try await wire.answer(page, "approve")
        if answer.headers["location"] != nil {
            return .object(try Callback(answer).parameters.mapValues(AuthJSON.string))
        }
        let form = try #require(HTMLPage(answer.text).forms.first)
        let fields = try #require(form.fields(pressing: nil, choosing: nil))
        return .object(Dictionary(fields.map { ($0.name, .string($0.value)) }) { first, _ in first })
    }

    private mutating func expect(_ found: AuthJSON?, _ value: String, _ comment: Comment) throws {
        if value == "absent" {
            #expect(found == nil, comment)
        } else if let name = value.wholeMatch(of: /\{(\w+)\}/)?.1 {
            #expect(values[String(name)] == nil, "\(name) has a value.")
            values[String(name)] = try #require(found?.text, comment)
        } else if value.hasSuffix("…\"") {
            #expect(found?.string?.hasPrefix(filled(value).dropFirst().dropLast(2)) == true, comment)
        } else {
            let expected = try #require(AuthJSON(json: Data(filled(value).utf8)), comment)
            #expect(found == expected, comment)
        }
    }

    /// Returns the member at a path, such as `users/0/email` or `idToken/firebase/sign_in_provider`.
    private static func member(_ path: String, of answer: AuthJSON) -> AuthJSON? {
        path.split(separator: "/").reduce(answer) { value, name in
            switch value {
            case .array(let elements)?: Int(name).flatMap { elements.dropFirst($0).first }
            case .string(let text)?: JSONWebToken(Secret(text))?.claims[String(name)]
            default: value?[String(name)]
            }
        }
    }

    /// Returns a text in which each name in braces is replaced by its value.
    private func filled(_ text: String, escaped: Bool = false) -> String {
        text.replacing(/\{(\w+)\}/) { match in
            guard let value = values[String(match.1)] else {
                Issue.record("\(match.1) has no value.")
                return ""
            }
            let unreserved = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
            return escaped ? value.addingPercentEncoding(withAllowedCharacters: unreserved) ?? value : value
        }
    }
}
