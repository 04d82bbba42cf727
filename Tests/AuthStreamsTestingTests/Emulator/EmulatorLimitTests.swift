import AuthStreams
import AuthStreamsOAuth
import AuthStreamsSupabase
import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import AuthStreamsTesting

/// What an emulator keeps and finds, and how it says what it has dropped.
@Suite struct EmulatorLimitTests {
    @Test func beyondAQuarterMoreThanTheLimitTheLeastRecentlyUsedAreDropped() {
        var store = KeyedStore<Int>("code", limit: 4)
        let keys = (0..<5).map { store.add($0) }
        #expect(store.all == [0, 1, 2, 3, 4])
        // One is found, another is changed.
        #expect(store.find(keys[0]) == 0)
        store[keys[2]] = 20
        _ = store.add(5)
        #expect(store.all == [0, 20, 4, 5])
        #expect(store[keys[1]] == nil)
    }

    @Test func aKeyThatIsAddedAgainIsNewAgain() {
        var store = KeyedStore<Int>("code", limit: 2)
        store["a"] = 1
        store["b"] = 2
        store["a"] = nil
        store["a"] = 3
        #expect(store.all == [2, 3])
        store["c"] = 4
        #expect(store.all == [3, 4])
    }

    @Test func aNameLeadsToItsValuesAlone() {
        var store = KeyedStore<String>("user", limit: 5) { [String($0.prefix(1))] }
        for value in ["a1", "b1", "a2", "b2", "a3"] { store[value] = value }
        #expect(store.all(named: "a") == ["a1", "a2", "a3"])
        store["a1"] = nil
        #expect(store.all(named: "a") == ["a2", "a3"])
        #expect(store.first(named: "b") == "b1")
        var seen: [String] = []
        store.removeAll(named: "b") { value in
            seen.append(value)
            return value == "b2"
        }
        #expect(Set(seen) == ["b1", "b2"])
        #expect(store.all == ["b1", "a2", "a3"])
        store.update("a2") { $0 = "c2" }
        #expect(store.all(named: "a") == ["a3"] && store.all(named: "c") == ["c2"])
        store["b1"] = nil
        #expect(store.keys(named: "b").isEmpty)
    }

    @Test func theListKeepsItsNewestElementsByNumber() {
        var list = RecentList<Int>("request", limit: 3)
        #expect(list.all.isEmpty)
        for number in 0..<7 { list.append(number) }
        #expect(list.all == [4, 5, 6])
        list.update(5) { $0 = 50 }
        list.update(3) { $0 = 30 }
        #expect(list.all == [4, 50, 6])
        #expect(list[3] == nil && list[5] == 50 && list[7] == nil)
    }

    @Test func theJournalSaysThatAValueWasDropped() {
        var store = KeyedStore<Int>("code", limit: 2)
        var other = KeyedStore<Int>("token", limit: 2)
        func notes(_ action: () -> Void) -> String? {
            let notes = RequestNotes()
            RequestNotes.$current.withValue(notes, operation: action)
            return notes.content.text
        }
        var keys: [String] = []
        let dropped = "the 1 least recently used of kind code were dropped: 2 are kept"
        #expect(notes { keys = (0..<3).map { store.add($0) } } == dropped)
        let foreign = (0..<3).map { other.add($0) }
        let note = "this code was removed, or dropped since it was not used for long"
        #expect(notes { _ = store.find(keys[0]) } == note)
        // Those that are there, and those that were never issued.
        let others = keys[1...] + foreign + ["", "made-up", String(repeating: "A", count: 32)]
        for key in others { #expect(notes { _ = store.find(key) } == nil) }
    }

    @Test func aRemovedValueIsNotADroppedOne() {
        var store = KeyedStore<Int>("page", limit: 2)
        let key = store.add(0)
        let notes = RequestNotes()
        RequestNotes.$current.withValue(notes) {
            #expect(store.take(key) == 0)
            #expect(store.take(key) == nil)
        }
        #expect(notes.content.text == nil)
    }
}

/// Tokens of a session, of which the emulator keeps none.
@Suite struct SessionTokenTests {
    @Test func onlyTheSecretOfItsSessionProvesIt() throws {
        let token = SessionToken("rt-", of: "session", 7, 8, by: "secret")
        let read = try #require(SessionToken("rt-", token.text))
        #expect(read.session == "session" && read.numbers == [7, 8])
        #expect(read.isValid(by: "secret") && !read.isValid(by: "another"))
        // Another number, another session, another kind of token.
        for (old, new) in [(".7.", ".6."), ("session", "sessions"), (".8.", ".8.0."), (".8.", ".x.")] {
            let changed = try #require(SessionToken("rt-", token.text.replacing(old, with: new)))
            #expect(!changed.isValid(by: "secret"))
        }
        #expect(SessionToken("at-", token.text) == nil)
        let other = try #require(SessionToken("at-", token.text.replacing("rt-", with: "at-")))
        #expect(!other.isValid(by: "secret"))
    }

    @Test(arguments: ["", ".", "rt-", "rt-session", "rt-session.", "rt-session.1", "rt-.1.x", "rt-session..x", nil])
    func anotherTextIsNone(text: String?) {
        #expect(SessionToken("rt-", text)?.isValid(by: "secret") ?? false == false)
    }

    @Test func anEarlierRefreshTokenEndsItsSessionHoweverOldItIs() throws {
        var sessions = ServerSessions()
        let (rules, now) = (EmulatorConfiguration().server, Date())
        func refresh(_ token: String?) throws -> String {
            let text = try #require(token)
            let family = try sessions.family(refreshToken: text, by: rules, now: now)
            return try #require(sessions.renew(text, of: family, by: rules, now: now).tokens.refresh)
        }
        func begin() -> String? {
            sessions.issue(for: sessions.begin(for: "user-1", from: .kakao, now: now), by: rules, now: now).refresh
        }
        let (first, other) = (begin(), begin())
        var current = first
        for _ in 0..<2 * EmulatorLimit.tokens { current = try refresh(current) }
        // The other session was in no use.
        _ = try refresh(other)
        for token in [first, current] { #expect(throws: ServerProblem.self) { try refresh(token) } }
    }

    @Test func aSessionOfSupabaseIsInUseWithItsAccessToken() async throws {
        try await SupabaseVisit.run { visit in
            let session = try await visit.repository.signIn(with: visit.google())
            let others = try await visit.repository.signIn(with: visit.google("1002"))
            let state = try #require(visit.backend.emulator.router.world.service(EmulatedGoTrue.self)?.state)
            let user = try #require(state.withLock { $0[others.user.id] })
            for _ in 0..<2 {
                for _ in 0..<EmulatorLimit.signIns {
                    _ = state.withLock { $0.begin(of: user, by: "oauth", at: visit.now) }
                }
                _ = try await visit.repository.reload(session)
            }
            let dropped = await #expect(throws: AuthError.self) { try await visit.repository.reload(others) }
            #expect(dropped?.serverCode == "session_not_found")
        }
    }

    @Test func aSessionOfFirebaseStaysHoweverOftenAnotherOneGetsATokenMore() async throws {
        try await EmulatedBackend.run {
            $0.firebase.rotatesRefreshTokens = true
        } _: { backend in
            func begin(_ name: String) async throws -> String? {
                try await backend.toolkit(
                    "signUp", ["email": .string("\(name)@a.example"), "password": "secret1", "returnSecureToken": true]
                )["refreshToken"]?.string
            }
            func refresh(_ token: String?) async throws -> EmulatedBackend.Answer {
                try await backend.secureToken("grant_type=refresh_token&refresh_token=\(token ?? "")")
            }
            let (idle, first) = (try await begin("a"), try await begin("b"))
            var current = first
            for _ in 0..<EmulatorLimit.signIns * 3 / 2 { current = try await refresh(current)["refresh_token"]?.string }
            #expect(current != first)
            for token in [idle, first, current] {
                let answer = try await refresh(token)
                #expect(answer.status == 200)
            }
        }
    }
}

/// The same at the wire.
@Suite struct EmulatorLimitWireTests {
    private static func grant(_ emulator: Emulator) -> Grant {
        Grant(
            issuer: .kakao, clientID: emulator.configuration.kakao.nativeAppKey, userID: "1001",
            redirectURI: emulator.configuration.kakao.nativeRedirectURI, approvedAt: Date())
    }

    @Test func aCodeThatWasDroppedIsRefusedAndTheJournalSaysWhy() async throws {
        try await withEmulator { emulator in
            let (wire, grants) = (Wire(emulator), emulator.router.world.grants)
            let codes = (0...EmulatorLimit.signIns * 5 / 4).map { _ in grants.issueCode(for: Self.grant(emulator)) }
            let statuses = try await [codes[EmulatorLimit.signIns], codes[0]].asyncMap {
                try await wire.kakaoTokens($0).status
            }
            #expect(statuses == [200, 400])
            let entries = emulator.journal.entries
            #expect(entries.first?.description.hasSuffix(" 200") == true)
            #expect(
                entries.last?.description.hasSuffix(
                    " 400, this code was removed, or dropped since it was not used for long")
                    == true)
        }
    }

    @Test func aTokenThatWasDroppedIsRefusedAndTheJournalSaysWhy() async throws {
        try await withEmulator { emulator in
            let grants = emulator.router.world.grants
            emulator.kakao.link(Self.grant(emulator).userID)
            let tokens = (0...EmulatorLimit.tokens * 5 / 4).map { _ in
                grants.issueToken(.access, for: Self.grant(emulator), lifetime: 3600)
            }
            let statuses = try await [tokens[0], tokens[EmulatorLimit.tokens]].asyncMap {
                try await Wire(emulator).get("https://kapi.kakao.com/v1/user/access_token_info", bearer: $0).status
            }
            #expect(statuses == [401, 200])
            #expect(
                emulator.journal.entries.map(\.note) == [
                    "this token was removed, or dropped since it was not used for long", nil,
                ])
        }
    }

    @Test func aPageThatWasLeftIsDropped() async throws {
        try await withEmulator { emulator in
            let grants = emulator.router.world.grants
            let page = PendingAuthorization(issuer: .kakao, clientID: "", redirectURI: "")
            let tickets = (0...EmulatorLimit.signIns * 5 / 4).map { _ in grants.keep(page) }
            #expect(grants.take(ticket: tickets[0]) == nil)
            #expect(grants.take(ticket: tickets[EmulatorLimit.signIns]) != nil)
        }
    }

    @Test func revokingEndsOneApprovalOrAllOfAPerson() {
        let grants = GrantStore(clock: .system)
        func grant(_ userID: String) -> Grant {
            Grant(issuer: .kakao, clientID: "app", userID: userID, approvedAt: Date())
        }
        let (first, second, other) = (grant("1"), grant("1"), grant("2"))
        let tokens = [first, first, second, other].map { grants.issueToken(.access, for: $0, lifetime: 60) }
        func valid() -> [Bool] { tokens.map { grants.valid($0, .access, of: .kakao) != nil } }
        grants.revoke(pairOf: first)
        #expect(valid() == [false, false, true, true])
        #expect(grants.hasTokens(of: .kakao, userID: "1"))
        let code = grants.issueCode(for: second)
        let link = Consents.LinkID(issuer: .kakao, app: "app", userID: "1")
        grants.revokeAll(of: link, by: ["another client"])
        #expect(valid() == [false, false, true, true])
        grants.revokeAll(of: link)
        #expect(valid() == [false, false, false, true])
        #expect(grants.redeem(code: code, by: .kakao) == nil)
        #expect(!grants.hasTokens(of: .kakao, userID: "1") && grants.hasTokens(of: .kakao, userID: "2"))
    }

    @Test func theJournalAndTheSecretsKeepTheNewest() async throws {
        try await withEmulator { emulator in
            let transport = EmulatorTransport.untimed(to: emulator)
            let url = emulator.url(for: "https://kauth.kakao.com/none").absoluteString
            let (limit, count) = (EmulatorLimit.requests, EmulatorLimit.requests + 10)
            for number in 1...count {
                let address = try #require(URL(string: "\(url)?nonce=number-\(number)"))
                _ = try await transport.send(AuthHTTPRequest(.get, address))
            }
            let (entries, secrets) = (emulator.journal.entries, emulator.issuedSecrets.map { $0.value.reveal() })
            #expect(entries.map(\.number) == Array(11...count))
            #expect(entries.allSatisfy { $0.status == 404 })
            // Each request was answered.
            #expect(secrets == (11...count).map { "number-\($0)" })
            let note = entries.first { $0.number == limit + 1 }?.note ?? ""
            #expect(note.contains("the oldest request was dropped"))
        }
    }

    private static func journal(of members: AuthJSON) throws -> JournalStore {
        let request = LoopbackRequest(method: "POST", target: "/id.example/sign-in", body: members.data)
        let (emulated, journal) = (EmulatorRequest(try #require(request)), JournalStore(clock: .system))
        _ = journal.begin(try #require(emulated))
        return journal
    }

    @Test func secretsInsideOtherMembersAreFoundAlikeEachTime() throws {
        let journal = try Self.journal(of: [
            "postBody": "id_token=token%2B1&providerId=google.com", "nested": [["refreshToken": "token-2"]],
            "redirect": "app://callback?code=code-1", "access_token": "token-3", "id_token": "token-3",
        ])
        let found = journal.secrets
        #expect(Set(found.map { $0.value.reveal() }) == ["token+1", "token-2", "code-1", "token-3"])
        for _ in 0..<20 { #expect(journal.secrets == found) }
        let oversized = AuthJSON.string(String(repeating: "a", count: 65_536))
        #expect(try Self.journal(of: ["padding": oversized, "refreshToken": "token-2"]).secrets.isEmpty)
    }

    @Test func aSessionThatWasDroppedIsRefused() throws {
        var sessions = ServerSessions()
        let (rules, now) = (EmulatorConfiguration().server, Date())
        var tokens: [ServerSessions.Tokens] = []
        func isValid(_ number: Int) -> Bool { sessions.family(accessToken: tokens[number].access, now: now) != nil }
        for _ in 0...EmulatorLimit.signIns * 5 / 4 {
            let family = sessions.begin(for: "user-1", from: .kakao, now: now)
            tokens.append(sessions.issue(for: family, by: rules, now: now))
            // The second session is in use.
            if tokens.count > 1 { #expect(isValid(1)) }
        }
        #expect(!isValid(0) && isValid(tokens.count - 1))
        #expect(sessions.count(of: "user-1") == EmulatorLimit.signIns)
        let notes = RequestNotes()
        let dropped = RequestNotes.$current.withValue(notes) {
            try? sessions.family(refreshToken: tokens[0].refresh ?? "", by: rules, now: now)
        }
        #expect(dropped == nil)
        #expect(notes.content.text == "this session was removed, or dropped since it was not used for long")
    }
}

extension Array {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
