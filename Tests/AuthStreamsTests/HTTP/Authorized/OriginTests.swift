import Foundation
import Testing

@testable import AuthStreams

@Suite struct OriginTests {
    private func origin(_ text: String) throws -> Origin? { try Origin(#require(URL(string: text), "\(text)")) }

    @Test(arguments: [
        ("https://api.example.com", "https://api.example.com:443"),
        ("HTTPS://API.Example.COM/v1?x=1#y", "https://api.example.com:443"),
        ("https://api.example.com:443/", "https://api.example.com:443"),
        ("https://api.example.com:8443/a@b:c", "https://api.example.com:8443"),
        ("https://api.example.com?u=https://me@evil.example/", "https://api.example.com:443"),
        ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example:443"),
        ("https://192.0.2.1", "https://192.0.2.1:443"),
        ("https://[2001:DB8::1]/", "https://[2001:db8::1]:443"),
        ("https://[fe80::1%25en0]:8443/", "https://[fe80::1%25en0]:8443"),
        ("http://127.0.0.1:9099/a", "http://127.0.0.1:9099"),
        ("http://localhost", "http://localhost:80"),
        ("http://[::1]:9/", "http://[::1]:9"),
    ])
    func schemeHostAndPortCountAndNothingElse(text: String, expected: String) throws {
        #expect(try origin(text)?.description == expected)
    }

    @Test(arguments: [
        "https://api.example.com@evil.example/", "https://api.example.com:443@evil.example/",
        "https://me@api.example.com/", "https://me:secret@api.example.com/", "https://@api.example.com/",
        "https://api.example.com\\@evil.example/", "https://evil.example\\@api.example.com/",
        "https://evil.example\\.api.example.com/", "https:///api.example.com/", "https:/api.example.com/",
        "https:api.example.com", "https:\\\\api.example.com", "//api.example.com/", "/v1/notes",
        "https://api.example.com%2eevil.example/", "https://api.example.com%00.evil.example/",
        "https://api.example.com%40evil.example/", "https://api%2Eexample.com/", "https://api.example.com:/",
        "https://api.example.com:0x1bb/", "https://api.example.com:65536/", "https://api.example.com:-1/",
        "https://api.example.com:443:80/", "https://[::1", "https://::1/", "https://[api.example.com]/",
        "https://[fe80::1%25]/", "https://[fe80::1%25en0%40evil.example]/",
        "https://api.example.com\u{0301}/", "https://api.example.com\u{2024}evil.example", "http://api.example.com",
        "http://127.1/", "http://0x7f000001/", "http://127.0.0.1.evil.example/", "http://localhost.evil.example/",
        "http://192.168.0.2/", "http://mac.local/",
        "ftp://api.example.com/", "file:///etc/passwd", "javascript://api.example.com/%0aalert(1)", "https://",
    ])
    func whatIsNotPlainIsNoPlaceForAToken(text: String) throws {
        // Where Foundation makes no URL of it there is nothing to send either.
        guard let url = URL(string: text) else { return }
        guard let origin = Origin(url) else { return }
        // It may have made a plain one, but never that of the server which the text pretends to name.
        #expect(origin.description != "https://api.example.com:443", "\(url) is \(origin)")
        Issue.record("\(text) became \(origin)")
    }

    @Test(arguments: [
        "https://api.example.com.", "https://api.example.com:444", "https://www.api.example.com", "https://example.com",
        "https://xn--pi-8ka.example.com", "https://b\u{FC}cher.example", "https://[::ffff:192.0.2.1]",
    ])
    func anotherServerIsAnotherOrigin(text: String) throws {
        #expect(try origin(text) != origin("https://api.example.com"))
    }

    @Test func letterCaseAndUsualPortMakeNoDifference() throws {
        #expect(try origin("https://API.example.com:443/a") == origin("https://api.example.com/b"))
    }

    @Test func aNameBeyondASCIIIsThatOfItsPunycodeOrNone() throws {
        // Not every Foundation makes Punycode of it.
        if let origin = try origin("https://b\u{FC}cher.example") {
            #expect(try origin == self.origin("https://xn--bcher-kva.example"))
        }
    }

    @Test func aRelativeURLHasTheOriginOfItsBase() throws {
        let base = try #require(URL(string: "https://api.example.com/v1/"))
        let inside = try #require(URL(string: "notes?x=1", relativeTo: base))
        let outside = try #require(URL(string: "//evil.example/notes", relativeTo: base))
        #expect(Origin(inside)?.description == "https://api.example.com:443")
        #expect(Origin(outside)?.description == "https://evil.example:443")
    }
}
