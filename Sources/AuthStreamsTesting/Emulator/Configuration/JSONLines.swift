import AuthStreams
import Foundation

/// JSON text with the line of each value, for errors that say where to look.
///
/// Foundation's readers do not say where a value stands, keep one of two members with the same name, and read a comma after the
/// last element.
struct JSONLines {
    let value: AuthJSON
    private let lines: [[String]: Int]

    /// - Throws: `misconfigured` with the line, for text that is not JSON (RFC 8259) and for a member that an object has twice.
    init(_ text: Data) throws(AuthError) {
        var reader = JSONReader(text)
        do throws(SettingRefusal) {
            guard String(data: text, encoding: .utf8) != nil else { throw SettingRefusal("The text is not UTF-8.") }
            value = try reader.document()
            lines = reader.lines
        } catch { throw Self.error(error, line: reader.line) }
    }

    /// Returns the error that says on which line a setting was refused.
    ///
    /// - Parameter outer: The path of the part that the text is about.
    func error(_ refusal: SettingRefusal, within outer: [String] = []) -> AuthError {
        var path = refusal.path.starts(with: outer) ? Array(refusal.path.dropFirst(outer.count)) : []
        while lines[path] == nil, !path.isEmpty { path.removeLast() }
        return Self.error(refusal, line: lines[path] ?? 1)
    }

    private static func error(_ refusal: SettingRefusal, line: Int) -> AuthError {
        let name = refusal.path.isEmpty ? "" : " '\(refusal.path.joined(separator: "."))'"
        return AuthError(.misconfigured, "Line \(line) of the configuration\(name): \(refusal.reason)")
    }
}

/// Reads a JSON text from its start to its end, and leaves each string, number and word to Foundation.
private struct JSONReader {
    private var rest: ArraySlice<UInt8>
    private var depth = 0
    private(set) var line = 1
    /// The line on which each value begins, that of a member's value with the member's name.
    private(set) var lines: [[String]: Int] = [:]

    init(_ text: Data) { rest = Array(text)[...] }

    mutating func document() throws(SettingRefusal) -> AuthJSON {
        let value = try value([])
        guard next() == nil else { throw SettingRefusal("Something follows the end of the JSON.") }
        return value
    }

    private mutating func value(_ path: [String]) throws(SettingRefusal) -> AuthJSON {
        let first = next()
        if lines[path] == nil { lines[path] = line }
        guard let first else { throw SettingRefusal("The JSON ends too early.", path) }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return try scalar(path) }
        depth += 1
        defer { depth -= 1 }
        guard depth <= AuthJSON.maximumDepth else { throw SettingRefusal("It is nested too deeply.", path) }
        rest.removeFirst()
        return first == UInt8(ascii: "{") ? .object(try members(path)) : .array(try elements(path))
    }

    private mutating func members(_ path: [String]) throws(SettingRefusal) -> [String: AuthJSON] {
        var members: [String: AuthJSON] = [:]
        if take("}") { return members }
        repeat {
            guard next() == UInt8(ascii: #"""#), let name = try scalar(path).string else {
                throw SettingRefusal("Expected the name of a member, in quotes.", path)
            }
            guard members[name] == nil else { throw SettingRefusal("The setting appears twice.", path + [name]) }
            lines[path + [name]] = line
            guard take(":") else { throw SettingRefusal("Expected a colon after the name.", path + [name]) }
            members[name] = try value(path + [name])
        } while take(",")
        guard take("}") else { throw SettingRefusal("Expected a comma or the end of the object.", path) }
        return members
    }

    private mutating func elements(_ path: [String]) throws(SettingRefusal) -> [AuthJSON] {
        var elements: [AuthJSON] = []
        if take("]") { return elements }
        repeat { elements.append(try value(path + ["\(elements.count)"])) } while take(",")
        guard take("]") else { throw SettingRefusal("Expected a comma or the end of the list.", path) }
        return elements
    }

    private mutating func scalar(_ path: [String]) throws(SettingRefusal) -> AuthJSON {
        let text = rest.first == UInt8(ascii: #"""#) ? string : rest.prefix { !" \t\r\n,:]}".utf8.contains($0) }
        guard let value = AuthJSON(json: Data(text)), value.object == nil, value.array == nil else {
            throw SettingRefusal("Invalid JSON value: \(String(decoding: text.prefix(40), as: UTF8.self))", path)
        }
        rest = rest.dropFirst(text.count)
        return value
    }

    /// The string at the start, with its quotes; its end is missing if the text ends within it.
    private var string: ArraySlice<UInt8> {
        var isEscaped = false
        let end = rest.dropFirst().firstIndex { byte in
            defer { isEscaped = byte == UInt8(ascii: #"\"#) && !isEscaped }
            return byte == UInt8(ascii: #"""#) && !isEscaped
        }
        return end.map { rest[...$0] } ?? rest
    }

    /// Skips white space and returns the byte after it; `nil` at the end.
    private mutating func next() -> UInt8? {
        while let byte = rest.first, " \t\r\n".utf8.contains(byte) {
            if byte == UInt8(ascii: "\n") { line += 1 }
            rest.removeFirst()
        }
        return rest.first
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next() == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }
}
