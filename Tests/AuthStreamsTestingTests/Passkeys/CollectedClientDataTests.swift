import AuthStreams
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsTesting

@Suite struct CollectedClientDataTests {
    @Test(arguments: PasskeyVector.all)
    func clientDataOfTheStandardAreWrittenAsInTheStandard(_ vector: PasskeyVector) throws {
        let requests: [(CollectedClientData.Kind, Data, Data)] = [
            (.create, vector.creationChallenge, vector.creationClientData),
            (.get, vector.requestChallenge, vector.requestClientData),
        ]
        for (kind, challenge, bytes) in requests {
            let isCrossOrigin = vector.description.hasSuffix("Origin")
            let data = CollectedClientData(
                kind, challenge: challenge, origin: "https://example.org", crossOrigin: isCrossOrigin,
                topOrigin: vector.description.hasSuffix("topOrigin") ? "https://example.com" : nil)
            #expect(CollectedClientData(json: bytes) == data)
            // Some of the standard's have one member more, at the end.
            let text = String(decoding: bytes, as: UTF8.self)
            let written = String(decoding: data.serialized, as: UTF8.self)
            #expect(text == written || text.hasPrefix(written.dropLast() + #","extraData":""#))
        }
    }

    @Test func membersHaveTheOrderOfTheStandard() {
        let data = CollectedClientData(.get, challenge: Data(), origin: "a", crossOrigin: true, topOrigin: "b")
        #expect(
            String(decoding: data.serialized, as: UTF8.self)
                == #"{"type":"webauthn.get","challenge":"","origin":"a","crossOrigin":true,"topOrigin":"b"}"#)
    }

    @Test func textsAreEscapedAsInTheStandard() throws {
        let data = CollectedClientData(.get, challenge: Data(), origin: "\"\\/\u{1}\n\u{7F}\u{1F}é水😀")
        let text = String(decoding: data.serialized, as: UTF8.self)
        #expect(text.contains(#""origin":"\"\\/\u0001\u000a"# + "\u{7F}" + #"\u001fé水😀""#))
        #expect(CollectedClientData(json: data.serialized) == data)
    }

    @Test func otherOrdersAndMembersAreRead() {
        let text = """
            \u{FEFF}{ "new": {}, "origin": "o", "challenge": "c", "type": "t" }
            """
        let data = CollectedClientData(json: Data(text.utf8))
        #expect(data?.type == "t" && data?.challenge == "c" && data?.origin == "o")
        #expect(data?.crossOrigin == false && data?.topOrigin == nil)
    }

    @Test(
        arguments: [
            "", "[]", #"{"type":"t","challenge":"c"}"#, #"{"type":"t","origin":"o"}"#,
            #"{"challenge":"c","origin":"o"}"#,
            #"{"type":1,"challenge":"c","origin":"o"}"#,
            #"{"type":"t","challenge":"c","origin":"o","crossOrigin":"no"}"#,
            #"{"type":"t","challenge":"c","origin":"o","topOrigin":1}"#,
            #"{"type":"t","challenge":"c","origin":"o","origin":"o"}"#,
            #"{"type":"t","challenge":"c","origin":"o"} "a"#,
        ])
    func otherTextsAreRefused(text: String) {
        #expect(CollectedClientData(json: Data(text.utf8)) == nil)
    }
}
