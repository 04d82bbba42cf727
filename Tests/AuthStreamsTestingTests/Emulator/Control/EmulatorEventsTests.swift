import AuthStreams
import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import AuthStreamsTesting

/// The journal of an emulator as server-sent events.
@Suite(.limitedParallelization) struct EmulatorEventsTests {
    private static func client(of remote: RemoteControl, after number: Int? = nil) async throws -> RawClient {
        let client = try RawClient(port: UInt16(try #require(remote.emulator.baseURL.port)))
        let last = number.map { "Last-Event-ID: \($0)\r\n" } ?? ""
        await client.send(
            "GET /emulator/control/events HTTP/1.1\r\nHost: localhost:\(remote.emulator.baseURL.port ?? 0)\r\n"
                + "Authorization: Bearer \(RemoteControl.token)\r\n\(last)\r\n")
        return client
    }

    @Test func eventsAreThoseOfThePastAndEachNewOne() async throws {
        try await RemoteControl.run { remote in
            let wire = Wire(remote.emulator)
            _ = try await wire.get("https://kauth.kakao.com/first", ["code": "secret-code"])
            let client = try await Self.client(of: remote)
            let past = await client.receive(until: "\"status\":404}\n\n")
            #expect(past.contains("Content-Type: text/event-stream") && past.contains("id: 1\nevent: request\ndata: {"))
            _ = try await wire.get("https://kauth.kakao.com/oauth/authorize", ["client_id": "unknown"])
            let new = await client.receive(until: "\n\n")
            #expect(new.hasPrefix("id: 2\n"))
            let lines = new.split(separator: "\n").map(String.init)
            let data = try #require(AuthJSON(json: Data(lines[2].dropFirst(6).utf8)))
            #expect(data["path"] == "/oauth/authorize" && data["status"] == 401)
            #expect(data["mismatches"]?.array?.first?["name"] == "client_id")
            #expect(data["mismatches"]?.array?.first?["sent"] == "unknown")
            #expect(data["reason"]?.string?.contains("KOE101") == true)
            #expect(!(past + new).contains("secret-code"))
            // A reader that comes back.
            let again = try await Self.client(of: remote, after: 1)
            #expect(await again.receive(until: "\"status\":401}\n\n").contains("id: 2\n"))
        }
    }

    @Test func readerThatIsTooSlowLearnsHowManyAnswersItDidNotGet() async throws {
        let journal = JournalStore(clock: .system)
        let request = EmulatorRequest("GET", host: "a.b", path: "/")
        func finish(_ number: Int) {
            journal.finish(number, LoopbackResponse(status: 200), status: 200, fault: nil, .init())
        }
        func answers(after number: Int, limit: Int) async throws -> (numbers: [Int], dropped: Int, last: Int) {
            let (exchanges, dropped, place) = try #require(
                await journal.answers(after: journal.place(of: number), limit: limit))
            return (exchanges.compactMap(\.answer), dropped, place.answer)
        }
        for _ in 0..<EmulatorLimit.requests + 10 { finish(journal.begin(request)) }
        let first = try await answers(after: 4, limit: 3)
        #expect(first == ([11, 12, 13], 6, 13))
        let next = try await answers(after: 13, limit: 2)
        #expect(next == ([14, 15], 0, 15))
        // The answer to an earlier request that came later is not lost.
        let (held, newest) = (journal.begin(request), EmulatorLimit.requests + 11)
        finish(journal.begin(request))
        #expect(try await answers(after: newest - 1, limit: 9) == ([newest], 0, newest))
        finish(held)
        #expect(try await answers(after: newest, limit: 9) == ([newest + 1], 0, newest + 1))
        // A reader comes from an emulator that had answered more.
        let again = try await answers(after: .max, limit: 1)
        #expect(again.numbers == [13] && again.last == 13)
    }

    @Test func eventSaysHowManyAnswersWereLost() async throws {
        try await withEmulator { emulator in
            let (journal, request) = (emulator.router.journal, EmulatorRequest("GET", host: "a.b", path: "/"))
            for _ in 0..<EmulatorLimit.requests + 7 {
                let number = journal.begin(request)
                journal.finish(number, LoopbackResponse(status: 200), status: 200, fault: nil, .init())
            }
            let response = emulator.router.events(after: 0)
            guard case .continued(let next) = response.delivery else {
                Issue.record("The events end.")
                return
            }
            let events = String(decoding: try #require(await next()), as: UTF8.self)
            #expect(events.hasPrefix("event: lost\ndata: {\"count\":7}\n\nid: 8\n"))
        }
    }

    @Test func changeOfTheConfigurationIsAnEvent() async throws {
        try await RemoteControl.run { remote in
            let client = try await Self.client(of: remote)
            _ = await client.receive(until: "retry: 1000\n\n")
            _ = try await Wire(remote.emulator).get("https://kauth.kakao.com/first")
            _ = await client.receive(until: "\"status\":404}\n\n")
            for request in ["/clock", "/appName"] {
                _ = try await remote.send(.put, request, request == "/clock" ? "7" : "\"Other\"")
                #expect(await client.receive(until: "\n\n") == "event: change\ndata: {}\n\n")
            }
            _ = try await remote.send(.post, "/reset")
            #expect(await client.receive(until: "\n\n") == "event: change\ndata: {}\n\n")
        }
    }

    @Test(arguments: ["-9223372036854775808", "-1", "x", "9999999999999999999999"])
    func placeThatIsNoNumberIsTheStart(place: String) async throws {
        try await RemoteControl.run { remote in
            _ = try await Wire(remote.emulator).get("https://kauth.kakao.com/first")
            let client = try RawClient(port: UInt16(try #require(remote.emulator.baseURL.port)))
            await client.send(
                "GET /emulator/events?after=\(place) HTTP/1.1\r\nHost: localhost:\(remote.emulator.baseURL.port ?? 0)\r\n\r\n"
            )
            let events = await client.receive(until: "\"status\":404}\n\n")
            #expect(events.contains("id: 1\n") && !events.contains("event: lost"))
        }
    }

    @Test func clientThatDoesNotReadTheEventsHoldsUpNoSignIn() async throws {
        try await RemoteControl.run { remote in
            let port = try #require(remote.emulator.baseURL.port)
            let client = try RawClient(port: UInt16(port), receiveBuffer: 4_096)
            await client.send("GET /emulator/events HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n")
            let transport = EmulatorTransport(to: remote.emulator, clock: ManualClock().authClock(startingAt: Date()))
            // Far more than the system keeps for a client: 1 000 events of 16 KB.
            let url = remote.emulator.url(for: "https://kauth.kakao.com/\(String(repeating: "a", count: 16_000))")
            for _ in 0..<1_000 { #expect(try await transport.send(AuthHTTPRequest(.get, url)).status == 404) }
            _ = try await remote.signIn(as: "1001")
            #expect(remote.emulator.journal.entries.count == 1_003)
            #expect(await client.receive(until: "id: 3\n").contains("id: 2\n"))
        }
    }

    /// Signs people in at Kakao in this process: the page, the consent, the tokens.
    private static func signIn(_ count: Int, at emulator: Emulator) async throws {
        let (transport, kakao) = (
            EmulatorTransport(to: emulator, clock: ManualClock().authClock(startingAt: Date())),
            emulator.configuration.kakao
        )
        let redirect = (name: "redirect_uri", value: kakao.nativeRedirectURI)
        func post(_ path: String, _ form: [(name: String, value: String)]) async throws -> AuthHTTPResponse {
            try await transport.send(
                AuthHTTPRequest(
                    .post, emulator.url(for: "https://kauth.kakao.com\(path)"),
                    headers: [.contentType: FormCoding.contentType], body: Data(FormCoding.encode(form).utf8)))
        }
        let query = FormCoding.encode([("client_id", kakao.nativeAppKey), ("response_type", "code"), redirect])
        let start = emulator.url(for: "https://kauth.kakao.com/oauth/authorize?\(query)")
        for _ in 0..<count {
            let page = try await transport.send(AuthHTTPRequest(.get, start)).text
            let ticket = try #require(page.firstMatch(of: /name="ticket" value="([^"]+)"/)?.output.1)
            let form = [("ticket", String(ticket)), ("user", "1001"), ("decision", "approve")]
            let location = try await post("/emulator/consent", form).headers["location"] ?? ""
            let code = try #require(FormCoding.decode(String(location.split(separator: "?").last ?? ""))?.first?.value)
            let tokens = try await post(
                "/oauth/token",
                [("grant_type", "authorization_code"), ("client_id", kakao.nativeAppKey), ("code", code), redirect])
            #expect(tokens.status == 200)
        }
    }

    @Test func tenDashboardsSeeEachAnswerOfAThousandSignIns() async throws {
        try await withEmulator { emulator in
            let port = try #require(emulator.baseURL.port)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<10 {
                    let client = try RawClient(port: UInt16(port))
                    await client.send("GET /emulator/events HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n")
                    group.addTask {
                        let events = await client.receive(until: "id: 3000\n")
                        let numbers = events.matches(of: /(?m)^id: (\d+)$/).compactMap { Int($0.output.1) }
                        #expect(numbers == Array(1...3000) && !events.contains("event: lost"))
                    }
                    group.addTask {
                        let page = AuthHTTPRequest(.get, emulator.baseURL, maximumResponseBytes: 10_000_000)
                        for _ in 0..<5 {
                            let answer = try await EmulatorTransport(
                                to: emulator, clock: ManualClock().authClock(startingAt: Date())
                            ).send(page)
                            #expect(answer.status == 200)
                        }
                    }
                    group.addTask { try await Self.signIn(100, at: emulator) }
                }
                try await group.waitForAll()
            }
        }
    }
}
