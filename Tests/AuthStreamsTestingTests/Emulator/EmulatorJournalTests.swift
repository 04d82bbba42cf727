import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@Suite struct EmulatorJournalTests {
    private static let keys = "https://kauth.kakao.com/.well-known/jwks.json"

    @Test func requestsStandInTheOrderTheyArrivedWithoutTheirQueries() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            _ = try await wire.get(Self.keys, ["code": "not-to-be-kept"])
            _ = try await wire.post("https://kauth.kakao.com/oauth/token", ["code": "not-to-be-kept"])
            let entries = emulator.journal.entries
            #expect(
                entries.map(\.description) == [
                    "1 GET kauth.kakao.com/.well-known/jwks.json 200", "2 POST kauth.kakao.com/oauth/token 400",
                ])
            var dump = ""
            Swift.dump(entries, to: &dump)
            #expect(!dump.contains("not-to-be-kept"))
        }
    }

    @Test func whoWaitsIsWokenByTheRequest() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let gate = EmulatorGate()
            emulator.inject(.held(until: gate), at: .kakaoKeys)
            async let answer = wire.get(Self.keys)
            // The answer is held, so this returns only if arrival is enough.
            let entry = await emulator.journal.waitForRequest(to: .kakaoKeys)
            #expect(entry?.path == "/.well-known/jwks.json")
            gate.open()
            let status = try await answer.status
            #expect(status == 200)
        }
    }

    @Test func aRequestThatCameEarlierCounts() async throws {
        try await withEmulator { emulator in
            _ = try await Wire(emulator).get(Self.keys)
            let entry = await emulator.journal.waitForRequest { $0.method == "GET" }
            #expect(entry?.status == 200)
        }
    }

    @Test func whoWaitsInVainIsFreedByCancellation() async throws {
        try await withEmulator { emulator in
            let waiting = Task { await emulator.journal.waitForRequest { _ in false } }
            waiting.cancel()
            #expect(await waiting.value == nil)
        }
    }

    @Test func everySecretThatPassesIsKnownAndNoneIsShown() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let kakao = emulator.configuration.kakao
            let page = try await wire.get(
                "https://kauth.kakao.com/oauth/authorize",
                [
                    "client_id": kakao.nativeAppKey, "redirect_uri": kakao.nativeRedirectURI, "response_type": "code",
                    "nonce": "the-nonce", "code_challenge": Pair.challenge, "code_challenge_method": "S256",
                ])
            let callback = try await wire.approve(page)
            let tokens = try await wire.kakaoTokens(callback["code"], ["code_verifier": Pair.verifier])
            let secrets = emulator.issuedSecrets
            let values = Set(secrets.map { $0.value.reveal() })
            let passed = [
                "the-nonce", Pair.verifier, callback["code"], tokens["access_token"], tokens["refresh_token"],
                tokens["id_token"],
            ].compactMap(\.self)
            #expect(passed.count == 6)
            #expect(values.isSuperset(of: passed))
            #expect(secrets.filter(\.isProviderSecret).count == secrets.count)
            #expect(Set(secrets.map(\.name)).isSuperset(of: ["nonce", "code_verifier", "code", "access_token"]))
            var shown = "\(secrets)"
            dump(secrets, to: &shown)
            #expect(values.filter(shown.contains).isEmpty)
        }
    }

    @Test func secretsInPagesThatPostThemselvesAreKnownToo() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let page = try await wire.get(
                "https://appleid.apple.com/auth/authorize",
                [
                    "client_id": emulator.configuration.apple.servicesID,
                    "redirect_uri": emulator.url(for: "https://apple-relay.example/callback").absoluteString,
                    "response_type": "code id_token", "response_mode": "form_post", "scope": "name",
                ])
            let post = try await wire.answer(page, "approve")
            let names = emulator.issuedSecrets.filter { post.text.contains($0.value.reveal()) }.map(\.name)
            #expect(names.sorted() == ["code", "id_token"])
        }
    }
}
