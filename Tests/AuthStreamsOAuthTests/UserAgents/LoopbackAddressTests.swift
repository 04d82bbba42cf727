import AuthStreams
import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import AuthStreamsOAuth

/// Where the listener listens: address, port and path of the redirect URI (RFC 8252 section 7.3).
@Suite(.limitedParallelization) struct LoopbackAddressTests {
    private static let hasIPv6 = (try? LoopbackServer.start(at: .ipv6) { _ in .html("") }) != nil

    private func answer(_ listener: LoopbackFixture, port: UInt16 = 0) async throws -> AuthorizationAnswer {
        let attempt = listener.start(port: port)
        try await listener.expectAnswer(from: try await listener.visitor(), to: attempt)
        return try await attempt.value
    }

    @Test func usualAddressIsIPv4() async throws {
        let attempt = LoopbackFixture().opener
        let browser = SystemBrowser(opener: attempt)
        let task = Task { try await browser.authorize(LoopbackFixture().page) }
        #expect(await attempt.first.value()?.absoluteString.hasPrefix("http://127.0.0.1:") == true)
        task.cancel()
        _ = await task.result
    }

    @Test(.enabled(if: hasIPv6, "This machine has no IPv6."))
    func answerReturnsToIPv6() async throws {
        let port = try UInt16.unsharedPort()
        let answer = try await answer(LoopbackFixture(address: .ipv6), port: port)
        #expect(answer.redirectURI.absoluteString == "http://[::1]:\(port)/back")
        #expect(answer.url.absoluteString == "http://[::1]:\(port)/back?code=right&state=right-state")
        #expect(throws: RawClient.ConnectError.self) { try RawClient(at: .ipv6, port: port) }
    }

    @Test(.enabled(if: hasIPv6, "This machine has no IPv6."))
    func listenerIsOnItsOwnAddressAlone() async throws {
        let others: [(SystemBrowser.LoopbackAddress, LoopbackAddress)] = [(.ipv4, .ipv6), (.ipv6, .ipv4)]
        for (address, other) in others {
            let listener = try LoopbackRedirect(
                for: LoopbackFixture().page, path: "/back", at: address, port: .unsharedPort())
            let port = UInt16(try #require(listener.uri.port))
            _ = try RawClient(at: address.ofServer[0], port: port)
            #expect(throws: RawClient.ConnectError.self) { try RawClient(at: other, port: port) }
        }
    }

    @Test(.enabled(if: hasIPv6, "This machine has no IPv6."), arguments: [LoopbackAddress.ipv4, .ipv6])
    func answerReturnsToLocalhostByEitherAddress(address: LoopbackAddress) async throws {
        let fixture = LoopbackFixture(address: .localhost)
        let attempt = try fixture.start(port: .unsharedPort())
        var browser = try await fixture.opened()
        browser.address = address
        try await browser.begin()
        try await fixture.expectAnswer(from: browser, to: attempt)
        #expect(try await attempt.value.redirectURI.absoluteString == "http://localhost:\(browser.port)/back")
        for address in [LoopbackAddress.ipv4, .ipv6] {
            #expect(throws: RawClient.ConnectError.self) { try RawClient(at: address, port: browser.port) }
        }
    }

    /// A browser may take either address of the name, and another user's program must not get the answer.
    @Test(.enabled(if: hasIPv6, "This machine has no IPv6."), arguments: [LoopbackAddress.ipv4, .ipv6])
    func portOfLocalhostThatIsTakenOnOneAddressIsRefused(address: LoopbackAddress) throws {
        let port = try UInt16.unsharedPort()
        let other = try LoopbackServer.start(at: address, port: port) { _ in .html("") }
        defer { other.stop() }
        #expect {
            try LoopbackRedirect(for: LoopbackFixture().page, path: "/back", at: .localhost, port: port)
        } throws: {
            let error = $0 as? AuthError
            return error?.code == .misconfigured && error?.explanation.contains("Port \(port) on localhost") == true
        }
        let free = address == .ipv4 ? LoopbackAddress.ipv6 : .ipv4
        #expect(throws: RawClient.ConnectError.self) { try RawClient(at: free, port: port) }
    }

    @Test func portOfTheSystemIsExplained() {
        let error = LoopbackRedirect.explain(.cannotListen(EACCES), at: .ipv4)
        #expect(error.code == .misconfigured && error.explanation.contains("1024"))
    }

    @Test(arguments: [EAFNOSUPPORT, EADDRNOTAVAIL])
    func machineWithoutIPv6IsExplained(errno: Int32) {
        let error = LoopbackRedirect.explain(.cannotListen(errno), at: .ipv6)
        #expect(error.code == .misconfigured)
        #expect(error.explanation.contains("no IPv6") && error.explanation.contains("127.0.0.1"))
        let other = LoopbackRedirect.explain(.cannotListen(errno), at: .ipv4)
        #expect(other.code == .misconfigured && !other.explanation.contains("IPv6"))
    }

    @Test(arguments: [SystemBrowser.LoopbackAddress.ipv4, .ipv6, .localhost])
    func takenPortNamesTheAddress(address: SystemBrowser.LoopbackAddress) {
        let error = LoopbackRedirect.explain(.portInUse(4711), at: address)
        #expect(error.explanation.contains("Port 4711 on \(address.host) is taken"))
    }

    @Test func fixedPortIsThatOfTheRedirectURI() async throws {
        let port = try UInt16.unsharedPort()
        #expect(try await answer(LoopbackFixture(), port: port).redirectURI.port == Int(port))
        // A later attempt gets the same port.
        #expect(try await answer(LoopbackFixture(), port: port).redirectURI.port == Int(port))
    }

    @Test func anyPortAllowsSeveralAttemptsAtATime() async throws {
        let listeners = [LoopbackFixture(), LoopbackFixture()]
        let attempts = listeners.map { $0.start() }
        let browsers = [try await listeners[0].visitor(), try await listeners[1].visitor()]
        #expect(browsers[0].port != browsers[1].port)
        for index in listeners.indices {
            try await listeners[index].expectAnswer(from: browsers[index], to: attempts[index])
        }
    }

    @Test(arguments: ["/", "/oauth2/callback", "/a%20b", "/%EB%A1%9C%EA%B7%B8%EC%9D%B8"])
    func customPathIsThatOfTheRedirectURI(path: String) async throws {
        let answer = try await answer(LoopbackFixture(path: path))
        #expect(answer.redirectURI.path(percentEncoded: true) == path)
    }

    @Test func pathWithoutASlashGetsOne() throws {
        let redirect = try LoopbackRedirect(for: LoopbackFixture().page, path: "back", port: 0)
        #expect(redirect.uri.path() == "/back")
    }
}
