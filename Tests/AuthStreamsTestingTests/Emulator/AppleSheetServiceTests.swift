import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

/// What Apple issues for a native sign-in.
@Suite struct AppleSheetServiceTests {
    private static let apple = EmulatorConfiguration().apple
    private static let sheet = "https://appleid.apple.com/emulator/sheet"

    private static func request(_ changes: [String: String?] = [:]) -> [String: String?] {
        ["client_id": apple.bundleID, "nonce": "hashed-nonce", "scope": "name email"].merging(changes) { $1 }
    }

    @Test func tokenIsForTheAppAndRepeatsTheNonce() async throws {
        try await withEmulator { emulator in
            let answer = try await Wire(emulator).post(Self.sheet, Self.request()).json
            let claims = try #require(answer?["identityToken"]?.string.flatMap { JSONWebToken(Secret($0)) }).claims
            #expect(claims["aud"]?.string == Self.apple.bundleID && claims["nonce"] == "hashed-nonce")
            #expect(claims["sub"] == answer?["user"] && claims["sub"]?.string == Self.apple.users[0].id)
        }
    }

    @Test func nameAndEmailComeOnceAndOnlyIfRequested() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let first = try await wire.post(Self.sheet, Self.request()).json
            #expect(first?["givenName"]?.string == Self.apple.users[0].givenName && first?["email"] != nil)
            let later = try await wire.post(Self.sheet, Self.request()).json
            #expect(later?["givenName"] == nil && later?["email"] == nil && later?["identityToken"] != nil)
            let other = try await wire.post(
                Self.sheet, Self.request(["user": Self.apple.users[1].id, "scope": nil])
            ).json
            #expect(other?["givenName"] == nil && other?["email"] == nil)
        }
    }

    /// Truth values, unlike on the web.
    @Test func appHearsOnceWhetherThePersonIsReal() async throws {
        var configuration = EmulatorConfiguration()
        configuration.apple.realUserStatus = 1
        configuration.apple.transferIDs = [Self.apple.users[0].id: "001001.transferred"]
        try await withEmulator(configuration) { emulator in
            let wire = Wire(emulator)
            for (isFirst, user) in [(true, 0), (false, 0), (true, 1)] {
                let answer = try await wire.post(Self.sheet, Self.request(["user": Self.apple.users[user].id])).json
                let token = try #require(answer?["identityToken"]?.string)
                let claims = try #require(JSONWebToken(Secret(token))).claims
                #expect(claims["real_user_status"] == (isFirst ? 1 : nil))
                #expect(answer?["realUserStatus"] == (isFirst ? 1 : nil))
                #expect(claims["email_verified"] == true && claims["is_private_email"] == .bool(user == 1))
                #expect(claims["transfer_sub"] == (user == 0 ? "001001.transferred" : nil))
            }
        }
    }

    @Test(arguments: ["x@privaterelay.example", "x@private.icloud.example"])
    func relayAddressOfTheAccountIsPrivate(address: String) async throws {
        var configuration = EmulatorConfiguration()
        configuration.apple.users[0].email = address
        try await withEmulator(configuration) { emulator in
            let answer = try await Wire(emulator).post(Self.sheet, Self.request())
            let claims = try answer.claims("identityToken")
            #expect(claims["email"] == .string(address) && claims["is_private_email"] == true)
        }
    }

    @Test func codeIsRedeemedByTheAppsClientWithoutARedirectURI() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let code = try await wire.post(Self.sheet, Self.request()).json?["authorizationCode"]?.string
            let exchange: [String: String?] = [
                "grant_type": "authorization_code", "client_id": Self.apple.bundleID, "code": code,
                "client_secret": Self.apple.clientSecret(for: Self.apple.bundleID, now: Date()),
            ]
            let token = "https://appleid.apple.com/auth/token"
            #expect(try await wire.post(token, exchange).status == 200)
            #expect(try await wire.post(token, exchange).json?["error"] == "invalid_grant")
        }
    }

    @Test func otherClientsAndPeopleAreRefused() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let client = try await wire.post(Self.sheet, Self.request(["client_id": Self.apple.servicesID]))
            #expect(client.status == 400 && client.json?["error"] == "invalid_client")
            let person = try await wire.post(Self.sheet, Self.request(["user": "nobody"]))
            #expect(person.json?["error"] == "access_denied")
            #expect(try await wire.get(Self.sheet, Self.request()).status == 405)
        }
    }
}
