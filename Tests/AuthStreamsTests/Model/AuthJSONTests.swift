import AuthStreams
import Foundation
import Testing

@Suite struct AuthJSONTests {
    private func decode(_ json: String) throws -> AuthJSON {
        try JSONDecoder().decode(AuthJSON.self, from: Data(json.utf8))
    }

    @Test(
        arguments: [

            ("null", AuthJSON.null), ("true", true), ("false", false), ("0", 0), ("1", 1), ("-7", -7),
            ("1.5", .number(1.5)), ("1.0", 1), ("1e3", 1000), ("-0.5", .number(-0.5)),
            ("18446744073709551616", .number(18_446_744_073_709_551_616)),
            ("9007199254740993", 9_007_199_254_740_993), ("9223372036854775807", .integer(.max)),
            ("-9223372036854775808", .integer(.min)), ("9223372036854775808", .number(9_223_372_036_854_775_808)),
            ("\"\"", ""), ("\"1\"", "1"), ("\"true\"", "true"), ("\"한글 🔑\"", "한글 🔑"), ("[]", .array([])),
            ("[1, [null]]", .array([1, .array([nil])])),
            ("{}", .object([:])), (#"{"a": {"b": [false]}}"#, .object(["a": .object(["b": .array([false])])])),
        ] as [(String, AuthJSON)])
    func decodesWhatStandsThereAndEncodesItBack(json: String, value: AuthJSON) throws {
        let decoded = try decode(json)
        #expect(decoded == value)
        #expect(AuthJSON(json: Data(json.utf8)) == value)
        #expect(try JSONDecoder().decode(AuthJSON.self, from: JSONEncoder().encode(decoded)) == value)
    }

    @Test(arguments: ["", "{", "[1,,2]", "nul", "'a'", "<html>", "1e999", "\"\\ud800\""])
    func brokenDocumentIsAnError(json: String) {
        #expect(throws: (any Error).self) { try decode(json) }
        #expect(AuthJSON(json: Data(json.utf8)) == nil)
    }

    @Test(
        arguments: [
            (.integer(3600), 3600), ("3600", 3600), (.number(3600), 3600), ("-1", -1), ("0", 0),
            (.number(3600.5), nil), (.number(1e300), nil), (.number(.nan), nil), (.number(.infinity), nil), ("", nil),
            ("3600.0", nil), ("1 hour", nil), ("99999999999999999999", nil), (true, nil), (nil, nil),
            (.array([1]), nil),
            ("9007199254740993", 9_007_199_254_740_993),
        ] as [(AuthJSON, Int64?)])
    func lenientInteger(value: AuthJSON, integer: Int64?) {
        #expect(value.lenientInteger == integer)
    }

    @Test(
        arguments: [
            (true, true), (false, false), ("true", true), ("false", false), ("TRUE", true), ("False", false),
            ("1", true), (1, true), (.number(0), false), ("Y", true), ("n", false), ("yes", true), ("No", false),
            ("on", nil), (2, nil), ("", nil), (nil, nil),
        ] as [(AuthJSON, Bool?)])
    func lenientBool(value: AuthJSON, bool: Bool?) {
        #expect(value.lenientBool == bool)
    }

    @Test func accessorsAnswerForTheirKindAlone() {
        let all: [AuthJSON] = [nil, true, 1, .number(1.5), "s", .array([1]), .object(["k": 1])]
        #expect(all.map { $0.string != nil } == [false, false, false, false, true, false, false])
        #expect(all.map { $0.bool != nil } == [false, true, false, false, false, false, false])
        #expect(all.map { $0.array != nil } == [false, false, false, false, false, true, false])
        #expect(all.map { $0.object != nil } == [false, false, false, false, false, false, true])
        #expect(all.map { $0["k"] } == [nil, nil, nil, nil, nil, nil, 1])
    }
}
