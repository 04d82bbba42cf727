import AuthStreams
import Foundation
import Testing

@Suite struct URLRelocatedTests {
    @Test(arguments: [
        ("https://oauth2.googleapis.com/token", "http://127.0.0.1:9099/oauth2.googleapis.com/token"),
        ("https://kauth.kakao.com", "http://127.0.0.1:9099/kauth.kakao.com"),
        ("https://a.example:8443/x?y=1%2B2", "http://127.0.0.1:9099/a.example:8443/x?y=1%2B2"),
        ("https://h.example/v1/accounts:lookup", "http://127.0.0.1:9099/h.example/v1/accounts:lookup"),
    ])
    func everyPlaceMovesBelowTheBase(production: String, relocated: String) throws {
        let url = try #require(URL(string: production))
        for base in ["http://127.0.0.1:9099", "http://127.0.0.1:9099/"] {
            #expect(url.relocated(onto: try #require(URL(string: base))).absoluteString == relocated)
        }
    }
}
