import AuthStreams
import Foundation
import Testing

@Suite struct JSONRepetitionTests {
    @Test(arguments: [
        "{}", "[]", "1", #"{"a":1,"b":2}"#, #"{"a":{"a":{"a":1}}}"#, #"[{"a":1},{"a":1}]"#,
        #"{"a":{"x":1},"b":{"x":1}}"#, #"{"a":"b","b":"a"}"#, #"{"a":["a","a"]}"#, #"{"a":"\"a\":","b":1}"#,
        #"{"a":"{\"b\":1,","b":1}"#, #"{"a\\":1,"a":2}"#, #"{"a\"":1,"a":2}"#, #"{"A":1,"a":2}"#, #"{"":1," ":2}"#,
    ])
    func everyMemberStandsOnce(text: String) {
        #expect(AuthJSON(json: Data(text.utf8)) != nil)
        #expect(!AuthJSON.repeatsMember(Data(text.utf8)))
    }

    @Test(arguments: [
        #"{"a":1,"a":1}"#, #"{"a":1,"b":2,"a":3}"#, #"{"a" : 1 , "a" : 2}"#, "{\"a\"\n:1,\t\"a\"\r\n:2}",
        #"{"a":1,"\u0061":2}"#, #"{"\/":1,"/":2}"#, #"{"":1,"":2}"#, #"{"é":1,"\u00e9":2}"#,
        #"{"x":{"a":1,"a":2}}"#, #"[1,{"a":[],"a":{}}]"#, #"{"a":{"b":1},"a":2}"#, #"{"a":[{"b":1}],"a":2}"#,
        #"{"a\"b":1,"a\u0022b":2}"#, #"{"a\\":1,"a\\":2}"#,
    ])
    func memberThatStandsTwiceIsFound(text: String) {
        #expect(AuthJSON.repeatsMember(Data(text.utf8)))
        // A part of a larger text, whose indices do not begin at zero.
        let part = Data("{\"a\"\(text)".utf8).dropFirst(4)
        #expect(AuthJSON.repeatsMember(part))
    }

    @Test(arguments: [#"{"a":1,"a"#, #"{"a"#, #"""#, #""a":"a":"#, "}}}{{{", #"{"a\"#, ""])
    func textThatIsNoJSONEndsTheScan(text: String) {
        #expect(!AuthJSON.repeatsMember(Data(text.utf8)))
    }
}
