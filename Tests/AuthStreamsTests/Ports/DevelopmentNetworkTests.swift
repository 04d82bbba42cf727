import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// The switch of the test process itself stays as it is: other tests expect refusals.
@Suite(.limitedParallelization) struct DevelopmentNetworkTests {
    @Test func eachCallWarns() {
        let flag = AtomicCounter()
        var warnings: [String] = []
        for _ in 0..<2 { DevelopmentNetwork.allowHTTP(by: flag) { warnings.append($0) } }
        let isAllowed = flag.load() == 1
        #expect(warnings.count == 2)
        #if DEBUG
            #expect(isAllowed)
            #expect(warnings.allSatisfy { $0.contains("unencrypted on the private network") })
            #expect(warnings.allSatisfy { $0.contains("development only") })
        #else
            #expect(!isAllowed)
            #expect(warnings.allSatisfy { $0.contains("no effect in a release build") })
        #endif
    }

    @Test func tokensNeedHTTPSWithoutACall() throws {
        let isAllowed = DevelopmentNetwork.isHTTPAllowed.load() == 1
        #expect(!isAllowed)
        let access: APIAccess = ["https://api.example.com", "http://192.168.0.2:8080"]
        let error = #expect(throws: AuthError.self) {
            try access.server(of: AuthHTTPRequest(.get, URL(literal: "http://192.168.0.2:8080/v1")))
        }
        #expect(error?.explanation.contains("Entry 2 of `api`") == true)
        #expect(error?.explanation.contains("DevelopmentNetwork.allowHTTP()") == true)
    }

    #if !AUTH_DARWIN
        /// In a process of its own, for which the switch stays on.
        @Test func callAllowsThePrivateNetworkInADebugBuild() async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                DevelopmentNetwork.allowHTTP()
                #if DEBUG
                    let isDebugBuild = true
                #else
                    let isDebugBuild = false
                #endif
                let url = URL(literal: "http://192.168.0.2:8080/v1")
                #expect(url.keepsSecrets == isDebugBuild)
                #expect(!URL(literal: "http://api.example.com").keepsSecrets)
                let access: APIAccess = [
                    "http://192.168.0.2:8080", "http://mac.local", "http://[fd00::1]:81", "http://[fe80::1%25en0]:82",
                ]
                let origins = (access.origins ?? []).map(\.description).sorted()
                let all = [
                    "http://192.168.0.2:8080", "http://[fd00::1]:81", "http://[fe80::1%25en0]:82",
                    "http://mac.local:80",
                ]
                #expect(origins == (isDebugBuild ? all : []))
                let server = try? access.server(of: AuthHTTPRequest(.get, url))
                #expect((server != nil) == isDebugBuild)
            }
            let log = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(log.components(separatedBy: "AuthStreams warning DevelopmentNetwork.allowHTTP()").count == 2)
        }
    #endif
}
