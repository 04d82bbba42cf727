import AuthStreams
import AuthStreamsFirebase
import Foundation
import Testing

@Suite struct CallableFunctionsTests {
    private static let done = AuthHTTPResponse.json(#"{"result":null}"#)

    @Test(arguments: [
        (FunctionsRegion.usCentral1, "https://us-central1-demo.cloudfunctions.net/hello"),
        (.seoul, "https://asia-northeast3-demo.cloudfunctions.net/hello"),
        (.init("europe-west1"), "https://europe-west1-demo.cloudfunctions.net/hello"),
    ])
    func aRegionIsPartOfTheHost(region: FunctionsRegion, url: String) async throws {
        let transport = ScriptedTransport(Self.done)
        _ = try await CallableFunctions(project: Fixture.project, in: region, transport: transport).call("hello")
        #expect(transport.requests.map(\.line) == ["POST \(url)"])
    }

    @Test func theRegionIsIowaUnlessNamed() async throws {
        let transport = ScriptedTransport(Self.done)
        _ = try await CallableFunctions(project: Fixture.project, transport: transport).call("hello")
        #expect(transport.requests.first?.url.host() == "us-central1-demo.cloudfunctions.net")
    }

    @Test func functionsMayHaveADomainOrAURLOfTheirOwn() async throws {
        let transport = ScriptedTransport(Self.done, Self.done)
        let domain = try #require(URL(string: "https://api.example/fn"))
        let functions = CallableFunctions(project: Fixture.project, at: .domain(domain), transport: transport)
        _ = try await functions.call("hello")
        _ = try await functions.call(.url(try #require(URL(string: "https://hello-abc-uc.a.run.app/?x=1"))))
        #expect(
            transport.requests.map(\.line) == [
                "POST https://api.example/fn/hello", "POST https://hello-abc-uc.a.run.app/?x=1",
            ])
    }

    @Test func anEmulatorHasTheFunctionsHostBelowItsOwn() async throws {
        var project = Fixture.project
        project.endpoints = .emulator(at: try #require(URL(string: "http://127.0.0.1:9099")))
        let transport = ScriptedTransport(Self.done)
        _ = try await CallableFunctions(project: project, in: .seoul, transport: transport).call("hello")
        #expect(
            transport.requests.map(\.line)
                == ["POST http://127.0.0.1:9099/asia-northeast3-demo.cloudfunctions.net/hello"])
    }

    @Test(arguments: [
        ("demo", "us-central1", ""), ("demo", "us-central1", "../x"), ("demo", "us-central1", "a/b"),
        ("demo", "us-central1", "a?b"), ("demo", "evil.example/", "f"), ("demo", "a@evil.example#", "f"),
        ("de.mo", "us-central1", "f"), ("", "us-central1", "f"), ("demo", "", "f"), ("demo", "us-central1", "함수"),
    ])
    func namesThatLeadElsewhereAreRefused(project: String, region: String, name: String) async throws {
        let functions = CallableFunctions(
            project: FirebaseProject(id: project, apiKey: "k"), in: .init(region), transport: ScriptedTransport())
        let error = try await failure { () throws(AuthError) in try await functions.call(.named(name)) }
        #expect(error.code == .misconfigured)
    }

    @Test func theEnvelopeHasDataAndNothingElse() async throws {
        let transport = ScriptedTransport(Self.done, Self.done)
        let functions = CallableFunctions(project: Fixture.project, transport: transport)
        _ = try await functions.call("f")
        _ = try await functions.call(
            "f", with: ["b": [1, "2", true, .null, .number(1.5)], "a": .integer(9_007_199_254_740_993)])
        #expect(transport.requests.map(\.text).first == #"{"data":null}"#)
        #expect(
            transport.requests.map(\.text).last
                == #"{"data":{"a":{"@type":"type.googleapis.com/google.protobuf.Int64Value","#
                + #""value":"9007199254740993"},"b":[1,"2",true,null,1.5]}}"#)
        #expect(transport.requests.first?.headers == [.contentType: "application/json", .accept: "application/json"])
        #expect(transport.requests.first?.timeout == .seconds(70))
    }

    @Test(arguments: ["https://f.example", "http://127.0.0.1:5001", "http://localhost:5001", "http://[::1]:5001"])
    func tokensGoToHTTPSAndThisMachine(url: String) async throws {
        var project = Fixture.project
        project.appCheckToken = { Secret("check") }
        project.bundleID = "com.example.app"
        let transport = ScriptedTransport(Self.done)
        let functions = CallableFunctions(project: project, transport: transport)
        _ = try await functions.call(.url(try #require(URL(string: url))), idToken: Secret("id-token"))
        let headers = try #require(transport.requests.first?.headers)
        #expect(headers[.authorization] == "Bearer id-token")
        #expect(headers["x-firebase-appcheck"] == "check")
        #expect(headers["x-ios-bundle-identifier"] == "com.example.app")
    }

    /// Also where there is nothing secret to send: one rule for all.
    @Test(
        arguments: ["http://192.168.0.2:5001", "http://localhost.example", "ftp://127.0.0.1"],
        [nil, Secret("id-token")])
    func noCallGoesToAnotherURL(url: String, idToken: Secret?) async throws {
        var project = Fixture.project
        project.appCheckToken = {
            Issue.record("The closure was called.")
            return nil
        }
        let functions = CallableFunctions(project: project, transport: ScriptedTransport())
        let function = CallableFunction.url(try #require(URL(string: url)))
        for framing in [CallableFunctions.Framing.callable, .plain] {
            let error = try await failure { () throws(AuthError) in
                try await functions.call(function, idToken: idToken, framing: framing)
            }
            #expect(error.code == .misconfigured)
            #expect(error.explanation.contains("Tokens go only to https or to this machine."))
            #expect(
                error.explanation.contains("DevelopmentNetwork.allowHTTP()") == (url == "http://192.168.0.2:5001"))
            #expect(!error.debugDescription.contains("id-token"))
        }
    }

    @Test func withoutCallerThereIsNoAuthorization() async throws {
        let transport = ScriptedTransport(Self.done)
        _ = try await CallableFunctions(project: Fixture.project, transport: transport).call("f")
        #expect(transport.requests.first?.headers[.authorization] == nil)
    }

    @Test(
        arguments: [
            (#"{"result":{"a":[1,null]}}"#, ["a": [1, nil]]), (#"{"data":"x"}"#, "x"), (#"{"result":null}"#, nil),
            (#"{"result":1,"data":2}"#, 1), (#"{"error":null,"result":false}"#, false),
            (
                #"{"result":{"n":{"@type":"type.googleapis.com/google.protobuf.Int64Value","value":"-9007199254740993"}}}"#,
                ["n": -9_007_199_254_740_993]
            ),
            (#"{"result":[{"@type":"type.googleapis.com/google.protobuf.UInt64Value","value":"7"}]}"#, [7]),
            (
                #"{"result":{"@type":"type.googleapis.com/google.protobuf.UInt64Value","value":"18446744073709551615"}}"#,
                "18446744073709551615"
            ),
            (#"{"result":{"@type":"other","value":"1"}}"#, ["@type": "other", "value": "1"]),
        ] as [(String, AuthJSON)])
    func resultsAreRead(answer: String, result: AuthJSON) async throws {
        let functions = CallableFunctions(project: Fixture.project, transport: ScriptedTransport(.json(answer)))
        #expect(try await functions.call("f") == result)
    }

    @Test(arguments: [
        "", "{}", "[]", "null", #""x""#, #"{"result":"#, #"{"results":1}"#, "<!doctype html><p>hello", "\u{0}\u{1}",
        #"{"error":{"status":"OK"}}"#,
        #"{"result":{"@type":"type.googleapis.com/google.protobuf.Int64Value","value":"1e3"}}"#,
        #"{"result":{"@type":"type.googleapis.com/google.protobuf.UInt64Value","value":"-1"}}"#,
        #"{"result":{"@type":"type.googleapis.com/google.protobuf.Int64Value"}}"#,
        #"{"result":\#(String(repeating: "[", count: 100_000))"#,
    ])
    func whatIsNoEnvelopeIsAnInvalidResponse(body: String) async throws {
        let functions = CallableFunctions(project: Fixture.project, transport: ScriptedTransport(.json(body)))
        let error = try await failure { () throws(AuthError) in try await functions.call("f") }
        #expect(error.code == .invalidResponse)
    }
}
