import AuthStreams
import AuthStreamsOAuth
import Foundation
import Testing

@testable import AuthStreamsTesting

/// What an emulator keeps and finds, and how it says what it has dropped.
@Suite struct EmulatorLimitTests {
    @Test func beyondTheLimitEachValueTakesThePlaceOfTheOldest() {
        var store = KeyedStore<Int>("code", limit: 3)
        let keys = (0..<5).map { store.add($0) }
        #expect(keys.map { store[$0] } == [nil, nil, 2, 3, 4])
        #expect(store.all == [2, 3, 4])
        #expect(store.all.count == 3)
    }

    @Test func aKeyThatIsAddedAgainIsNewAgain() {
        var store = KeyedStore<Int>("code", limit: 2)
        store["a"] = 1
        store["a"] = nil
        store["a"] = 2
        // The place of the first "a" is taken, and the second one stays.
        store["b"] = 3
        #expect(store.all == [2, 3])
        store["a"] = 4
        #expect(store.all == [4, 3])
    }

    @Test func aNameLeadsToItsValuesAlone() {
        var store = KeyedStore<String>("user", limit: 4) { [String($0.prefix(1))] }
        for value in ["a1", "b1", "a2", "b2", "a3"] { store[value] = value }
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
        let dropped = (0..<7).map { list.append($0) }
        #expect(dropped == [nil, nil, nil, 0, 1, 2, 3])
        #expect(list.all == [4, 5, 6])
        list[5] = 50
        list[3] = 30
        #expect(list.all == [4, 50, 6])
        #expect(list[3] == nil && list[5] == 50 && list[7] == nil)
    }

    @Test func aDroppedValueIsNamedWithTheNumberOfNewerOnes() {
        var store = KeyedStore<Int>("code", limit: 2)
        var other = KeyedStore<Int>("token", limit: 2)
        let keys = (0..<5).map { store.add($0) }
        let foreign = (0..<5).map { other.add($0) }
        func note(_ key: String) -> String? {
            let notes = RequestNotes()
            RequestNotes.$current.withValue(notes) { _ = store.find(key) }
            return notes.text
        }
        #expect(note(keys[0]) == "this code was removed, or dropped since 4 newer ones were issued")
        #expect(note(keys[2]) == "this code was removed, or dropped since 2 newer ones were issued")
        // One that is there, and those that were never issued.
        let others = keys[3...] + foreign + ["", "made-up", String(repeating: "A", count: 32)]
        #expect(others.allSatisfy { note($0) == nil })
    }

    @Test func aRemovedValueIsNotADroppedOne() {
        var store = KeyedStore<Int>("page", limit: 2)
        let key = (0..<3).map { store.add($0) }[2]
        let notes = RequestNotes()
        RequestNotes.$current.withValue(notes) {
            #expect(store.take(key) == 2)
            #expect(store.take(key) == nil)
        }
        #expect(notes.text == nil)
    }
}

/// The same at the wire.
@Suite struct EmulatorLimitWireTests {
    private static func grant(_ emulator: Emulator) -> Grant {
        Grant(
            issuer: .kakao, clientID: emulator.configuration.kakao.nativeAppKey, userID: "1001",
            redirectURI: emulator.configuration.kakao.nativeRedirectURI, approvedAt: Date())
    }

    private static func exchange(_ code: String, _ wire: Wire) async throws -> AuthHTTPResponse {
        let kakao = wire.configuration.kakao
        return try await wire.post(
            "https://kauth.kakao.com/oauth/token",
            [
                "grant_type": "authorization_code", "client_id": kakao.nativeAppKey,
                "redirect_uri": kakao.nativeRedirectURI, "code": code,
            ])
    }

    @Test func aCodeThatWasDroppedIsRefusedAndTheJournalSaysWhy() async throws {
        try await withEmulator { emulator in
            let (wire, grants) = (Wire(emulator), emulator.router.grants)
            let codes = (0...EmulatorLimit.signIns).map { _ in grants.issueCode(for: Self.grant(emulator)) }
            let statuses = try await [codes[1], codes[0]].asyncMap { try await Self.exchange($0, wire).status }
            #expect(statuses == [200, 400])
            let entries = emulator.journal.entries
            #expect(entries.first?.description.hasSuffix(" 200") == true)
            #expect(
                entries.last?.description.hasSuffix(
                    " 400, this code was removed, or dropped since 1024 newer ones were issued")
                    == true)
        }
    }

    @Test func aTokenThatWasDroppedIsRefusedAndTheJournalSaysWhy() async throws {
        try await withEmulator { emulator in
            let grants = emulator.router.grants
            let tokens = (0...EmulatorLimit.tokens).map { _ in
                grants.issueToken(.access, for: Self.grant(emulator), lifetime: 3600)
            }
            let statuses = try await [tokens[0], tokens[1]].asyncMap {
                try await Wire(emulator).get("https://kapi.kakao.com/v1/user/access_token_info", bearer: $0).status
            }
            #expect(statuses == [401, 200])
            #expect(
                emulator.journal.entries.map(\.note) == [
                    "this token was removed, or dropped since 2048 newer ones were issued", nil,
                ])
        }
    }

    @Test func aPageThatWasLeftIsDropped() async throws {
        try await withEmulator { emulator in
            let grants = emulator.router.grants
            let page = PendingAuthorization(issuer: .kakao, clientID: "", redirectURI: "")
            let tickets = (0...EmulatorLimit.signIns).map { _ in grants.keep(page) }
            #expect(grants.take(ticket: tickets[0]) == nil)
            #expect(grants.take(ticket: tickets[1]) != nil)
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
        grants.revokeAll(of: .kakao, clientIDs: ["another app"], userID: "1")
        #expect(valid() == [false, false, true, true])
        grants.revokeAll(of: .kakao, clientIDs: ["app"], userID: "1")
        #expect(valid() == [false, false, false, true])
        #expect(!grants.hasTokens(of: .kakao, userID: "1") && grants.hasTokens(of: .kakao, userID: "2"))
    }

    @Test func theJournalAndTheSecretsKeepTheNewest() async throws {
        try await withEmulator { emulator in
            let transport = EmulatorTransport(to: emulator)
            let url = emulator.url(for: "https://kauth.kakao.com/none").absoluteString
            let count = EmulatorLimit.secrets + 1
            for number in 0..<count {
                let address = try #require(URL(string: "\(url)?nonce=number-\(number)"))
                _ = try await transport.send(AuthHTTPRequest(.get, address))
            }
            let (entries, secrets) = (emulator.journal.entries, emulator.issuedSecrets.map { $0.value.reveal() })
            #expect(entries.count == EmulatorLimit.requests && secrets.count == EmulatorLimit.secrets)
            #expect(entries.map(\.number) == Array(count - entries.count + 1...count))
            #expect(entries.allSatisfy { $0.status == 404 })
            #expect(secrets.first == "number-1" && secrets.last == "number-\(count - 1)")
            // The last request has dropped the first secret, and another request of the journal.
            #expect(entries.last?.note?.contains("the oldest secret was dropped") == true)
        }
    }

    @Test func aSessionThatWasDroppedIsRefused() throws {
        var sessions = ServerSessions()
        let (rules, now) = (EmulatorConfiguration().server, Date())
        var tokens: [ServerSessions.Tokens] = []
        for _ in 0...EmulatorLimit.signIns {
            let family = sessions.begin(for: "user-1", from: .kakao, now: now)
            tokens.append(sessions.issue(for: family, by: rules, now: now))
        }
        #expect(sessions.family(accessToken: tokens[0].access, now: now) == nil)
        #expect(sessions.family(accessToken: tokens[1].access, now: now) != nil)
        #expect(sessions.count(of: "user-1") == EmulatorLimit.signIns)
        let notes = RequestNotes()
        let dropped = RequestNotes.$current.withValue(notes) {
            try? sessions.family(refreshToken: tokens[0].refresh ?? "", by: rules, now: now)
        }
        #expect(dropped == nil)
        #expect(notes.text == "this session was dropped since 1024 newer ones were issued")
    }
}

extension Array {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
