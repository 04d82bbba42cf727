import AuthStreams
import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import AuthStreamsTesting

/// The control of an emulator over HTTP.
@Suite(.limitedParallelization) struct EmulatorControlTests {
    @Test func itIsOffUnlessAskedForAndNeedsItsToken() async throws {
        try await RemoteControl.run(isOn: false) { remote in
            let answer = try await remote.send(.get, "/appName")
            #expect(answer.status == 404 && answer.text.contains("The control is off."))
        }
        try await RemoteControl.run { remote in
            for token in [nil, "", "another", "\(RemoteControl.token)x"] {
                let answer = try await remote.send(.put, "/appName", "\"Other\"", token: token)
                #expect(answer.status == 401 && answer.headers["www-authenticate"] == "Bearer")
                #expect(!answer.text.contains(RemoteControl.token))
            }
            #expect(try await remote.value("/appName") == "PulseBoard")
        }
    }

    @Test func pagesOfOtherSitesAndOtherNamesAreRefusedInSpiteOfTheToken() async throws {
        try await RemoteControl.run(allowing: ["http://localhost:3000"]) { remote in
            let other = try await remote.send(.post, "/reset", headers: ["origin": "https://evil.example"])
            #expect(other.status == 403)
            let foreign = try await remote.send(.get, "/appName", headers: ["host": "evil.example"])
            #expect(foreign.status == 421)
            let allowed = try await remote.send(.get, "/appName", headers: ["origin": "http://localhost:3000"])
            #expect(allowed.status == 200)
            #expect(allowed.headers["access-control-allow-origin"] == "http://localhost:3000")
        }
    }

    /// A browser asks before a script of another origin sends a token.
    @Test func pagesOfAllowedOriginsMayAsk() async throws {
        try await RemoteControl.run(allowing: ["http://localhost:3000"]) { remote in
            for (origin, status) in [("http://localhost:3000", 204), ("https://evil.example", 403)] {
                let request = LoopbackRequest(
                    method: "OPTIONS", target: "/emulator/control/clock",
                    headers: [
                        ("Host", "localhost:\(remote.emulator.baseURL.port ?? 0)"), ("Origin", origin),
                        ("Access-Control-Request-Method", "PUT"),
                        ("Access-Control-Request-Headers", "authorization"),
                    ])
                let answer = await remote.emulator.router.respond(to: try #require(request))
                #expect(answer.status == status)
                let methods = answer.headers.first { $0.name == "Access-Control-Allow-Methods" }?.value
                #expect(methods == (status == 204 ? "PUT" : nil))
            }
        }
    }

    @Test func peopleChangeAndTokensStayValid() async throws {
        try await RemoteControl.run { remote in
            let token = try await remote.signIn(as: "1001")
            let changed = try await remote.send(.post, "/kakao/users", #"{"id": "42", "name": "Jin Park"}"#)
            #expect(changed.status == 200)
            #expect(remote.emulator.configuration.kakao.users.map(\.id) == ["1001", "1002", "42"])
            #expect(try await remote.profileStatus(token) == 200)
            #expect(try await remote.profileStatus(try await remote.signIn(as: "42")) == 200)
        }
    }

    @Test func faultsAreAddedListedAndCleared() async throws {
        try await RemoteControl.run { remote in
            let fault = #"{"endpoint": "kapi.kakao.com/v2/user/me", "fault": "status", "value": 503}"#
            #expect(try await remote.send(.post, "/faults", fault).status == 200)
            #expect(try await remote.value("/faults")?.array?.count == 1)
            #expect(try await remote.profileStatus("none") == 503)
            #expect(try await remote.value("/faults") == [])
            #expect(try await remote.profileStatus("none") == 401)
            _ = try await remote.send(.put, "/faults", "[\(fault.dropLast()), \"times\": \"always\"}]")
            for _ in 0..<2 { #expect(try await remote.profileStatus("none") == 503) }
            // Another change leaves them.
            _ = try await remote.send(.put, "/appName", "\"Bookshelf\"")
            #expect(try await remote.profileStatus("none") == 503)
            _ = try await remote.send(.put, "/faults", "[]")
            #expect(try await remote.profileStatus("none") == 401)
        }
    }

    @Test func clockMoves() async throws {
        try await RemoteControl.run { remote in
            let token = try await remote.signIn(as: "1001")
            #expect(try await remote.send(.put, "/clock", "86400").status == 200)
            #expect(try await remote.profileStatus(token) == 401)
            #expect(try await remote.send(.put, "/clock", "-60").status == 200)
            #expect(try await remote.value("/clock") == -60)
            #expect(try await remote.profileStatus(token) == 200)
        }
    }

    @Test func resetBeginsAnewWithTheConfigurationOfTheStart() async throws {
        try await RemoteControl.run { remote in
            let token = try await remote.signIn(as: "1001")
            _ = try await remote.send(.put, "/appName", "\"Other\"")
            _ = try await remote.send(.put, "/clock", "7")
            #expect(try await remote.send(.post, "/reset").status == 204)
            #expect(try await remote.profileStatus(token) == 401)
            #expect(try await remote.value("/consents") == [])
            #expect(try await remote.value("/appName") == "PulseBoard")
            #expect(try await remote.value("/clock") == 0)
            #expect(remote.emulator.journal.entries.count == 4)
        }
    }

    @Test func exportCanBeImported() async throws {
        try await RemoteControl.run { remote in
            _ = try await remote.signIn(as: "1002")
            _ = try await remote.send(.put, "/clock", "3600")
            _ = try await remote.send(.put, "/faults", #"[{"endpoint": "nid.naver.com", "fault": "html"}]"#)
            let export = try await remote.send(.get, "")
            let consents = try #require(AuthJSON(json: export.body)?["consents"]?.array)
            #expect(consents.first?["user"] == "1002" && consents.first?["provider"] == "kakao")
            _ = try await remote.send(.post, "/reset")
            #expect(try await remote.send(.post, "/import", export.text).status == 204)
            #expect(try await remote.send(.get, "").body == export.body)
        }
    }

    /// A person who has agreed before is asked for nothing.
    @Test func consentsOfAConfigurationCount() async throws {
        let text = #"{"consents": [{"provider": "kakao", "user": "1001", "scopes": ["profile_nickname"]}]}"#
        let configuration = try EmulatorConfiguration(json: Data(text.utf8))
        try await withEmulator(configuration) { emulator in
            let page = try await Wire(emulator).get(
                "https://kauth.kakao.com/oauth/authorize",
                [
                    "client_id": configuration.kakao.nativeAppKey, "response_type": "code",
                    "redirect_uri": configuration.kakao.nativeRedirectURI, "scope": "profile_nickname account_email",
                ])
            #expect(page.text.contains("1001 account_email") && !page.text.contains("1001 profile_nickname"))
        }
    }

    @Test func whatIsWrongIsSaidAndChangesNothing() async throws {
        let wrong: [(AuthHTTPRequest.Method, String, String, Int, String)] = [
            (.put, "/kakao/restApiKey", "\"a\"", 404, "There is no setting 'kakao/restApiKey'."),
            (.get, "/kakao/users/7", "", 404, "There is no setting"),
            (.put, "/kakao/users", "[\n{\"id\": 7}]", 400, "Line 2 of the configuration 'kakao.users.0.id'"),
            (.put, "/kakao/users", #"[{"id":"1","name":"a"},{"id":"1","name":"b"}]"#, 400, "identifier '1'"),
            (.put, "/appName", "", 400, "ends too early"), (.post, "/appName", "\"a\"", 409, "is no list"),
            (.put, "/firebase/projectID", "\"other\"", 409, "'firebase.projectID' is fixed"),
            (.put, "/apple/notificationURLs", #"["ftp://a"]"#, 400, "not http or https"),
            (.post, "/faults", "{\"endpoint\": \"a.b\",\n\"fault\": \"status\"}", 400, "Line 2 of the configuration"),
            (.post, "/faults", "1,2", 400, "Something follows"), (.post, "/faults", "", 400, "ends too early"),
            (.post, "/faults", #"{"endpoint": "a.b", "fault": "delayed", "value": -1}"#, 400, "There is no fault"),
            (.post, "/faults", #"{"endpoint": "a.b", "fault": "clockSkew", "value": 1e300}"#, 400, "There is no fault"),
            (.post, "/faults", #"{"endpoint": "a.b", "fault": "explode"}"#, 400, "There are: dropConnection"),
            (.put, "/consents", #"[{"provider": "kakao", "user": "9", "scopes": []}]"#, 400, "no person '9'"),
            (.put, "/clock", "\"noon\"", 400, "a number of seconds"), (.post, "/import", "{\"a\": 1}", 400, "'a'"),
            (.delete, "/faults", "", 405, ""),
        ]
        try await RemoteControl.run { remote in
            let before = try await remote.send(.get, "").body
            for (method, path, body, status, reason) in wrong {
                let answer = try await remote.send(method, path, method == .get || method == .delete ? nil : body)
                #expect(
                    answer.status == status && (reason.isEmpty || answer.text.contains(reason)),
                    "\(path) \(body): \(answer.text)")
            }
            #expect(try await remote.send(.get, "").body == before)
        }
    }

    @Test func everyFaultOfAConfigurationKeepsItsForm() throws {
        let all: [EmulatorFault] = [
            .dropConnection, .truncated(afterBytes: 3), .delayed(by: .milliseconds(500)), .status(503),
            .rateLimited(retryAfter: .seconds(3)), .html, .empty, .malformedJSON, .oversized(bytes: 10),
            .error("KOE320"), .wrongNonce, .wrongAudience, .wrongIssuer, .expiredToken, .unsignedToken,
            .wrongSignature, .clockSkew(.seconds(-9)),
        ]
        var configuration = EmulatorConfiguration()
        configuration.faults = all.map { .init($0, at: .kakaoToken, times: .always) }
        let read = try EmulatorConfiguration(json: configuration.json)
        #expect(read.faults == configuration.faults)
        #expect(read.faults.compactMap { $0.fault.map { .init($0, at: .kakaoToken, times: .always) } } == read.faults)
        let made = EmulatorFault.onArrival {}
        #expect(EmulatorConfiguration.Fault(made, at: .kakaoToken, times: .once).fault == nil)
    }

    @Test func delayedAnswerWaitsForTheClock() async throws {
        let clock = ManualClock()
        try await withEmulator(EmulatorConfiguration(clock: clock.authClock(startingAt: Date()))) { emulator in
            emulator.inject(.delayed(by: .seconds(5)), at: "kapi.kakao.com")
            async let answer = Wire(emulator).get("https://kapi.kakao.com/v2/user/me")
            await clock.waitForSleepers(count: 1)
            #expect(emulator.journal.entries.map(\.status) == [nil])
            clock.advance(by: .seconds(5))
            let status = try await answer.status
            #expect(status == 401)
        }
    }

    /// What happens between the reading and the writing of a change stays.
    @Test func changeKeepsWhatHappenedMeanwhile() async throws {
        try await RemoteControl.run { remote in
            let router = remote.emulator.router
            remote.emulator.inject(.status(503), at: "kapi.kakao.com")
            remote.emulator.inject(.held(until: EmulatorGate()), at: "nid.naver.com")
            let known = router.configuration
            #expect(try await remote.profileStatus("none") == 503)
            _ = try await remote.signIn(as: "1001")
            var changed = known
            changed.appName = "Other"
            router.change(to: changed, from: known)
            #expect(router.faults.all.map(\.name) == ["held"])
            #expect(router.configuration.consents.map(\.user) == ["1001"])
            // A fault that was met while another was added does not happen again.
            remote.emulator.inject(.status(503), at: "kapi.kakao.com")
            let before = router.configuration
            #expect(try await remote.profileStatus("none") == 503)
            var added = before
            added.faults.append(.init(.html, at: "a.b", times: .once))
            router.change(to: added, from: before)
            #expect(router.faults.all.map(\.name) == ["held", "html"])
            _ = try await remote.send(.put, "/faults", "[]")
            // An added fault leaves those that a configuration cannot have.
            _ = try await remote.send(.post, "/faults", #"{"endpoint": "a.b", "fault": "html"}"#)
            #expect(router.faults.all.map(\.name) == ["held", "html"])
            // A request takes the first one that fits, so a list keeps its order.
            let list = #"[{"endpoint": "a.b", "fault": "empty"}, {"endpoint": "a.b", "fault": "html"}]"#
            _ = try await remote.send(.put, "/faults", list)
            #expect(router.faults.all.map(\.name) == ["held", "empty", "html"])
            // An added consent leaves what is known of the others.
            let since = router.world.grants.consents { $0.all.map(\.since) }
            _ = try await remote.send(
                .post, "/consents", #"{"provider":"naver","user":"naver-1001","scopes":["name"]}"#)
            #expect(router.world.grants.consents { $0.all.map(\.since) }.first == since.first)
            // A person who is removed has no consents.
            #expect(try await remote.send(.put, "/kakao/users", "[]").status == 200)
            #expect(router.configuration.consents.map(\.user) == ["naver-1001"])
            let people = #"{"naver": {"users": [{"id": "42", "name": "Jin Park"}]}}"#
            #expect(try await remote.send(.put, "", people).status == 200)
            #expect(router.configuration.consents.isEmpty)
        }
    }
}
