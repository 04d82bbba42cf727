public import AuthStreams
public import Foundation

extension EmulatorConfiguration {
    /// Reads a configuration from JSON: the defaults, with what the text says in their place.
    ///
    /// ```json
    /// {
    ///   "appName": "Bookshelf",
    ///   "kakao": { "restAPIKey": "my-rest-key", "redirectURIs": ["http://localhost:3000/kakao"] },
    ///   "google": { "users": [{ "id": "42", "name": "Jin Park", "email": "jin@gmail.example" }] }
    /// }
    /// ```
    ///
    /// A setting has the name of the property, and a list replaces the default one as a whole. Durations are seconds. ``jsonSchema``
    /// describes all of them.
    ///
    /// - Throws: `misconfigured` with the line and the reason: text that is not JSON, a member that is repeated or no setting, a value
    ///   of another type, and two clients or two people of a provider with one identifier.
    public init(json text: Data) throws(AuthError) {
        self.init()
        let lines = try JSONLines(text)
        do throws(SettingRefusal) {
            try take(lines.value)
            try checkIdentifiers()
        } catch { throw lines.error(error) }
    }

    /// The settings in the form that ``init(json:)`` reads. The clock is not one of them.
    public var json: Data { setting.data }

    /// The JSON Schema (draft 2020-12) of what ``init(json:)`` reads, with the defaults.
    public static var jsonSchema: Data {
        var schema = Self.schema.object ?? [:]
        schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        schema["title"] = "Configuration of the AuthStreams emulator"
        return AuthJSON.object(schema).data
    }

    private func checkIdentifiers() throws(SettingRefusal) {
        let keys = kakao.nativeAppKeys + [kakao.restAPIKey, kakao.otherNativeAppKey]
        try Self.check(google.clients.map(\.id), "google", "clients")
        try Self.check(keys, "kakao", "keys")
        try Self.check([apple.servicesID, apple.bundleID], "apple", "clients")
        for (name, users) in [
            ("apple", apple.users), ("google", google.users), ("kakao", kakao.users), ("naver", naver.users),
            ("issuer", issuer.users),
        ] { try Self.check(users.map(\.id), name, "users") }
    }

    private static func check(_ identifiers: [String], _ part: String, _ kind: String) throws(SettingRefusal) {
        var seen: Set<String> = []
        for identifier in identifiers where !seen.insert(identifier).inserted {
            throw SettingRefusal("Two of its \(kind) have the identifier '\(identifier)'.", [part])
        }
    }
}

/// Why a member of a configuration is no setting, and where it is.
struct SettingRefusal: Error {
    let reason: String
    /// The names of the members and the numbers of the elements that lead to it, from the outside.
    var path: [String]

    init(_ reason: String, _ path: [String] = []) { (self.reason, self.path) = (reason, path) }

}

/// A value of the configuration in JSON.
protocol SettingValue: Sendable {
    /// Its JSON Schema, without a default.
    static var schema: AuthJSON { get }
    /// What a further element of a list begins as.
    static var blank: Self { get }
    var setting: AuthJSON { get }
    /// Takes what the JSON says, and keeps what it does not say.
    mutating func take(_ json: AuthJSON) throws(SettingRefusal)
}

extension SettingValue {
    static func refusal(of json: AuthJSON, _ expected: String) -> SettingRefusal {
        SettingRefusal("It must be \(expected), and is \(String(decoding: json.data, as: UTF8.self)).")
    }
}

/// A part of the configuration: an object whose members are settings.
protocol SettingPart: SettingValue {
    static var settings: [Setting<Self>] { get }
    /// The settings that each element of a list has to give.
    static var required: [String] { get }
}

/// One setting of a part.
struct Setting<Part>: Sendable {
    let name: String
    let schema: @Sendable () -> AuthJSON
    let read: @Sendable (Part) -> AuthJSON
    let write: @Sendable (inout Part, AuthJSON) throws(SettingRefusal) -> Void

    /// - Parameter check: Says why a part has no such setting; `nil` if it has.
    init<Value: SettingValue>(
        _ name: String, _ path: any WritableKeyPath<Part, Value> & Sendable,
        unless check: @escaping @Sendable (Part, Value) -> String? = { _, _ in nil }
    ) {
        self.name = name
        schema = { Value.schema }
        read = { $0[keyPath: path].setting }
        write = { (part, json) throws(SettingRefusal) in
            var value = part[keyPath: path]
            try value.take(json)
            if let reason = check(part, value) { throw SettingRefusal(reason) }
            part[keyPath: path] = value
        }
    }

    /// A setting that is one of a few, each with a name.
    init<Value: Hashable & Sendable>(
        _ name: String, _ path: any WritableKeyPath<Part, Value> & Sendable, _ values: [String: Value]
    ) {
        let names = values.keys.sorted()
        self.name = name
        schema = { ["enum": .strings(names)] }
        read = { part in .string(names.first { values[$0] == part[keyPath: path] } ?? "") }
        write = { (part, json) throws(SettingRefusal) in
            guard let value = json.string.flatMap({ values[$0] }) else {
                throw String.refusal(of: json, "one of \(names.joined(separator: ", "))")
            }
            part[keyPath: path] = value
        }
    }
}

extension SettingPart {
    static var required: [String] { [] }

    static var schema: AuthJSON {
        let start = blank
        let members = settings.map { setting in
            var schema = setting.schema().object ?? [:]
            if schema["properties"] == nil, !required.contains(setting.name) { schema["default"] = setting.read(start) }
            return (setting.name, AuthJSON.object(schema))
        }
        var schema: [String: AuthJSON] = [
            "type": "object", "additionalProperties": false, "properties": .object(Dictionary(members) { $1 }),
        ]
        if !required.isEmpty { schema["required"] = .strings(required) }
        return .object(schema)
    }

    var setting: AuthJSON { .object(Dictionary(Self.settings.map { ($0.name, $0.read(self)) }) { $1 }) }

    mutating func take(_ json: AuthJSON) throws(SettingRefusal) {
        guard case .object(let members) = json else { throw Self.refusal(of: json, "an object") }
        let names = Self.settings.map(\.name)
        if let unknown = members.keys.sorted().first(where: { !names.contains($0) }) {
            throw SettingRefusal("There is no such setting. There are: \(names.joined(separator: ", ")).", [unknown])
        }
        // In the order of the table: a later setting may depend on an earlier one.
        for setting in Self.settings {
            guard let value = members[setting.name] else { continue }
            do throws(SettingRefusal) { try setting.write(&self, value) } catch {
                throw SettingRefusal(error.reason, [setting.name] + error.path)
            }
        }
    }
}

extension String: SettingValue {
    static let blank = ""
    static var schema: AuthJSON { ["type": "string"] }
    var setting: AuthJSON { .string(self) }
    mutating func take(_ json: AuthJSON) throws(SettingRefusal) {
        guard let text = json.string else { throw Self.refusal(of: json, "a string") }
        self = text
    }
}

extension Bool: SettingValue {
    static let blank = false
    static var schema: AuthJSON { ["type": "boolean"] }
    var setting: AuthJSON { .bool(self) }
    mutating func take(_ json: AuthJSON) throws(SettingRefusal) {
        guard let truth = json.bool else { throw Self.refusal(of: json, "true or false") }
        self = truth
    }
}

extension Int64: SettingValue {
    static let blank: Int64 = 0
    static var schema: AuthJSON { ["type": "integer", "minimum": 0] }
    var setting: AuthJSON { .integer(self) }
    mutating func take(_ json: AuthJSON) throws(SettingRefusal) {
        guard case .integer(let number) = json, number >= 0 else { throw Self.refusal(of: json, "a whole number") }
        self = number
    }
}

extension Int: SettingValue {
    static let blank = 0
    static var schema: AuthJSON { Int64.schema }
    var setting: AuthJSON { .integer(Int64(self)) }
    mutating func take(_ json: AuthJSON) throws(SettingRefusal) {
        var number = Int64(self)
        try number.take(json)
        self = Int(number)
    }
}

extension Duration: SettingValue {
    static var blank: Duration { .zero }
    static var schema: AuthJSON { ["type": "number", "minimum": 0, "description": "Seconds."] }
    var setting: AuthJSON {
        let seconds = self / .seconds(1)
        return Int64(exactly: seconds).map(AuthJSON.integer) ?? .number(seconds)
    }
    mutating func take(_ json: AuthJSON) throws(SettingRefusal) {
        let seconds: Double? =
            switch json {
            case .integer(let number): Double(number)
            case .number(let number): number
            default: nil
            }
        guard let seconds, (0...1e10).contains(seconds) else { throw Self.refusal(of: json, "a number of seconds") }
        self = .seconds(seconds)
    }
}

extension ProviderID: SettingValue {
    static var blank: ProviderID { ProviderID(rawValue: "") }
    static var schema: AuthJSON { String.schema }
    var setting: AuthJSON { .string(rawValue) }
    mutating func take(_ json: AuthJSON) throws(SettingRefusal) {
        var name = rawValue
        try name.take(json)
        self = ProviderID(rawValue: name)
    }
}

extension Optional: SettingValue where Wrapped: SettingValue {
    static var blank: Wrapped? { nil }
    static var schema: AuthJSON { ["anyOf": [Wrapped.schema, ["type": "null"]]] }
    var setting: AuthJSON { self?.setting ?? .null }
    mutating func take(_ json: AuthJSON) throws(SettingRefusal) {
        var value: Wrapped? = json == .null ? nil : Wrapped.blank
        try value?.take(json)
        self = value
    }
}

extension Array: SettingValue where Element: SettingValue {
    static var blank: [Element] { [] }
    static var schema: AuthJSON { ["type": "array", "items": Element.schema] }
    var setting: AuthJSON { .array(map(\.setting)) }
    mutating func take(_ json: AuthJSON) throws(SettingRefusal) {
        guard let elements = json.array else { throw Self.refusal(of: json, "a list") }
        self = []
        for (number, element) in elements.enumerated() {
            var value = Element.blank
            do throws(SettingRefusal) {
                try value.take(element)
                let required = (Element.self as? any SettingPart.Type)?.required ?? []
                if let missing = required.first(where: { element[$0] == nil }) {
                    throw SettingRefusal("'\(missing)' is missing.")
                }
            } catch { throw SettingRefusal(error.reason, ["\(number)"] + error.path) }
            append(value)
        }
    }
}

extension Set: SettingValue where Element: SettingValue {
    static var blank: Set { [] }
    static var schema: AuthJSON { [Element].schema }
    var setting: AuthJSON { .array(map(\.setting).sorted { $0.string ?? "" < $1.string ?? "" }) }
    mutating func take(_ json: AuthJSON) throws(SettingRefusal) {
        var elements: [Element] = []
        try elements.take(json)
        self = Set(elements)
    }
}
