import Foundation
import Testing

@testable import AuthStreams

@Suite struct URLKeepsSecretsTests {
    @Test(arguments: [
        "https://api.example.com", "HTTPS://api.example.com/v1", "http://127.0.0.1:8080/a", "http://LOCALHOST",
        "http://[::1]:9/",
    ])
    func tokensMayTravelByHTTPSOrWithinTheMachine(text: String) throws {
        let url = try #require(URL(string: text))
        #expect(url.keepsSecrets)
        #expect(url.keepsSecrets(allowingPrivateNetwork: true))
        try url.requireSafety("Correct it.")
    }

    private static let others = [
        "http://api.example.com", "http://127.0.0.1@api.example.com", "http://localhost.example.com",
        "http://127.0.0.2.example.com", "ftp://127.0.0.1", "https:", "file:///tmp", "//api.example.com", "auth/sign-in",
        "http://192.168.0.2@api.example.com", "ftp://192.168.0.2", "ws://mac.local",
    ]

    @Test(arguments: others) func theyMayTravelNoOtherWay(text: String) throws {
        let url = try #require(URL(string: text))
        #expect(!url.keepsSecrets)
        #expect(!url.keepsSecrets(allowingPrivateNetwork: true))
        let error = #expect(throws: AuthError.self) { try url.requireSafety("Correct it.") }
        #expect(error?.explanation == "Tokens go only to https or to this machine. Correct it.")
    }

    @Test(arguments: [
        "10.0.0.0", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.2", "192.168.255.255", "169.254.1.2",
        "[fc00::1]", "[fd12:3456:789a::1]", "[FDFF::1]", "[fe80::1]", "[fe80::1%25en0]", "[febf::1]", "mac.local",
        "Minji-MacBook-Pro.LOCAL", "db.mac.local",
    ])
    func privateNetworkIsAllowedOnRequestOnly(host: String) throws {
        let url = try #require(URL(string: "http://\(host):8080/v1?code=secret"))
        #expect(!url.keepsSecrets && !url.keepsSecrets(allowingPrivateNetwork: false))
        #expect(url.isOnPrivateNetwork && url.keepsSecrets(allowingPrivateNetwork: true))
        let error = #expect(throws: AuthError.self) { try url.requireSafety(of: "Codes", "Correct it.") }
        #expect(error?.code == .misconfigured)
        #expect(error?.explanation.hasPrefix("Codes go only to https or to this machine. Correct it. ") == true)
        #expect(error?.explanation.contains("DevelopmentNetwork.allowHTTP()") == true)
        #expect(error?.explanation.contains("secret") == false)
    }

    @Test(arguments: [
        "9.255.255.255", "11.0.0.1", "172.15.0.1", "172.32.0.1", "192.167.0.1", "192.169.0.1", "169.253.0.1",
        "8.8.8.8", "0.0.0.0", "192.168.1", "192.168.0.2.", "192.168.0.02", "0192.168.0.2", "192.168.0.256",
        "0xC0.0xA8.0.2", "0xc0a80002", "3232235522", "10.1", "10.example.com", "192.168.0.2.example.com",
        "192.168.0.2.5", "192.168..2", "local", ".local", "mac..local", "mac.local.", "evil.local.example.com",
        "maclocal", "mac.localhost",
        "[::2]", "[fec0::1]", "[fe00::1]", "[fb00::1]", "[2001:db8::fe80]", "[::ffff:192.168.0.2]", "[fc::1]",
    ])
    func otherHostsAreNotOnThePrivateNetwork(host: String) throws {
        // Where Foundation makes no URL of it there is nothing to send either.
        guard let url = URL(string: "http://\(host)/v1") else { return }
        #expect(!url.isOnPrivateNetwork && !url.keepsSecrets(allowingPrivateNetwork: true))
        #expect(url.privateNetworkAdvice.isEmpty)
    }

    @Test func anHTTPSURLNeedsNoAdvice() throws {
        #expect(URL(literal: "https://192.168.0.2").privateNetworkAdvice.isEmpty)
    }
}
