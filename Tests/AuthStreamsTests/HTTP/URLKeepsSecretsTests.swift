import AuthStreams
import Foundation
import Testing

@Suite struct URLKeepsSecretsTests {
    @Test(arguments: [
        "https://api.example.com", "HTTPS://api.example.com/v1", "http://127.0.0.1:8080/a", "http://LOCALHOST",
        "http://[::1]:9/",
    ])
    func tokensMayTravelByHTTPSOrWithinTheMachine(text: String) throws {
        #expect(try #require(URL(string: text)).keepsSecrets)
    }

    @Test(arguments: [
        "http://api.example.com", "http://127.0.0.1@api.example.com", "http://localhost.example.com",
        "http://127.0.0.2.example.com", "ftp://127.0.0.1", "https:", "file:///tmp", "//api.example.com", "auth/sign-in",
    ])
    func theyMayTravelNoOtherWay(text: String) throws {
        #expect(!(try #require(URL(string: text)).keepsSecrets))
    }
}
