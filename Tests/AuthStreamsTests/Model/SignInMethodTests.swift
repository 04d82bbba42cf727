import AuthStreams
import Foundation
import Testing

@Suite struct SignInMethodTests {
    @Test(
        arguments: [
            ("APPLE", SignInMethod(.apple)), ("APPLE_SDK", .init(.apple, using: .sheet)),
            ("APPLE_WEB", .init(.apple, using: .web)), ("GOOGLE", .init(.google)), ("GOOGLE_SDK", .init(.google)),
            ("GOOGLE_APP", .init(.google, using: .app)), ("GOOGLE_WEB", .init(.google, using: .web)),
            ("KAKAO", .init(.kakao)), ("KAKAO_SDK", .init(.kakao)), ("KAKAO_APP", .init(.kakao, using: .app)),
            ("KAKAO_TALK", .init(.kakao, using: .app)), ("KAKAO_ACCOUNT", .init(.kakao, using: .web)),
            ("KAKAO_WEB", .init(.kakao, using: .web)), ("NAVER", .init(.naver)), ("NAVER_SDK", .init(.naver)),
            ("NAVER_APP", .init(.naver, using: .app)), ("NAVER_WEB", .init(.naver, using: .web)),
        ])
    func standardNameIsAMethodInAnyCase(name: String, method: SignInMethod) throws {
        for name in [name, name.lowercased(), name.capitalized] {
            #expect(try SignInMethod(serverValue: name) == method)
        }
    }

    @Test func everyStandardNameIsTested() {
        #expect(SignInMethod.standardNames.count == 17)
    }

    @Test(arguments: ["", " ", "APPLE ", "KAKAO_", "LINE", "apple.com", "APPLE-SDK", "secret-value"])
    func unknownNameIsAnUnsupportedProviderAndNotRepeated(name: String) throws {
        let error = try #require(throws: AuthError.self) { try SignInMethod(serverValue: name) }
        #expect(error.code == .unsupportedProvider)
        #expect(error.provider == nil)
        #expect(error.explanation.contains("APPLE_SDK, APPLE_WEB"))
        #expect(!String(reflecting: error).contains("secret-value"))
    }

    @Test func ownNamesTakeThePlaceOfTheStandardOnes() throws {
        let names: [String: SignInMethod] = ["talk": .init(.kakao, using: .app), "LINE": .init("line")]
        #expect(try SignInMethod(serverValue: "TALK", names: names) == SignInMethod(.kakao, using: .app))
        #expect(try SignInMethod(serverValue: "line", names: names).provider == "line")
        #expect(throws: AuthError.self) { try SignInMethod(serverValue: "KAKAO_TALK", names: names) }
        let added = SignInMethod.standardNames.merging(names) { $1 }
        #expect(try SignInMethod(serverValue: "KAKAO_TALK", names: added).kind == .app)
        #expect(try SignInMethod(serverValue: "LINE", names: added).kind == nil)
    }

    @Test func nameWrittenExactlySoComesBeforeOneThatDiffersInCase() throws {
        let names: [String: SignInMethod] = ["Apple": .init("a"), "apple": .init("b"), "APPLE": .init("c")]
        for (name, method) in names { #expect(try SignInMethod(serverValue: name, names: names) == method) }
        let others = Set(try (0..<20).map { _ in try SignInMethod(serverValue: "aPPLE", names: names) })
        #expect(others == [.init("c")])
    }

    @Test func descriptionNamesProviderAndKind() {
        #expect("\(SignInMethod(.kakao))" == "kakao")
        #expect("\(SignInMethod(.apple, using: .sheet))" == "apple.com (sheet)")
        #expect("\(SignInMethod.Kind(rawValue: "carrier pigeon"))" == "carrier pigeon")
    }
}
