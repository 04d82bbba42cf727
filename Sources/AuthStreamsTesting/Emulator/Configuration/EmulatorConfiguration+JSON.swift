public import AuthStreams
public import Foundation

extension EmulatorConfiguration {
    /// Creates a configuration from JSON. Settings that the text omits keep their defaults.
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
        try take(text)
    }

    /// Applies JSON to a part of the configuration, and leaves the other settings unchanged.
    ///
    /// - Parameter path: The names of the settings that lead to the part.
    mutating func take(_ text: Data, at path: [String] = []) throws(AuthError) {
        let lines = try JSONLines(text)
        do throws(SettingRefusal) {
            try take(path.reversed().reduce(lines.value) { [$1: $0] })
            if (path.first ?? "consents") != "consents" || path.isEmpty && lines.value["consents"] == nil {
                consents = consents.filter(isOfPerson)
            }
            try check()
        } catch { throw lines.error(error, within: path) }
    }

    /// The settings in the form that ``init(json:)`` reads.
    public var json: Data { setting.data }

    /// The JSON Schema (draft 2020-12) of what ``init(json:)`` reads, with the defaults.
    public static var jsonSchema: Data {
        var schema = Self.schema.object ?? [:]
        schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        schema["title"] = "Configuration of the AuthStreams emulator"
        return AuthJSON.object(schema).data
    }

    private func check() throws(SettingRefusal) {
        let keys = kakao.nativeAppKeys + [kakao.restAPIKey, kakao.otherNativeAppKey]
        try Self.check(google.clients.map(\.id), "clients") {
            $0 < 3 ? ["google", ["iOS", "desktop", "web"][$0], "id"] : ["google", "others", "\($0 - 3)", "id"]
        }
        try Self.check(keys, "keys") { _ in ["kakao"] }
        try Self.check([apple.servicesID, apple.bundleID], "clients") { _ in ["apple", "bundleID"] }
        for issuer in Grant.Issuer.allCases {
            let part = issuer == .openID ? "issuer" : issuer.rawValue
            try Self.check(users(at: issuer).map(\.id), "users") { [part, "users", "\($0)", "id"] }
        }
        for (path, address) in webhooks where !Self.canCall(address) {
            throw SettingRefusal("The address '\(address)' of a report is not http or https with a host.", path)
        }
        for (number, consent) in consents.enumerated() where !isOfPerson(consent) {
            throw SettingRefusal(
                "There is no person '\(consent.user)' at the provider.", ["consents", "\(number)", "user"])
        }
    }

    private func isOfPerson(_ consent: Consent) -> Bool {
        users(at: consent.provider).contains { $0.id == consent.user }
    }

    func users(at issuer: Grant.Issuer) -> [EmulatorUser] {
        switch issuer {
        case .apple: apple.users
        case .google: google.users
        case .kakao: kakao.users
        case .naver: naver.users
        case .openID: self.issuer.users
        }
    }

    private static func check(
        _ identifiers: [String], _ kind: String, at path: (Int) -> [String]
    ) throws(SettingRefusal) {
        var seen: Set<String> = []
        for (number, identifier) in identifiers.enumerated() where !seen.insert(identifier).inserted {
            throw SettingRefusal("Two \(kind) have the identifier '\(identifier)'.", path(number))
        }
    }
}

/// The reason and the path of a rejected setting.
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
    /// Returns a value of the JSON.
    ///
    /// - Throws: If it is `nil`: what was expected in place of the JSON.
    static func need<Value>(_ value: Value?, _ expected: String, in json: AuthJSON) throws(SettingRefusal) -> Value {
        guard let value else {
            throw SettingRefusal("Expected \(expected), found \(String(decoding: json.data, as: UTF8.self)).")
        }
        return value
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
            let value = json.string.flatMap { values[$0] }
            part[keyPath: path] = try String.need(value, "one of \(names.joined(separator: ", "))", in: json)
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
        let members = try Self.need(json.object, "an object", in: json)
        let names = Self.settings.map(\.name)
        if let unknown = members.keys.sorted().first(where: { !names.contains($0) }) {
            throw SettingRefusal("Unknown setting. Known settings: \(names.joined(separator: ", ")).", [unknown])
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
        self = try Self.need(json.string, "a string", in: json)
    }
}

extension Bool: SettingValue {
    static let blank = false
    static var schema: AuthJSON { ["type": "boolean"] }
    var setting: AuthJSON { .bool(self) }
    mutating func take(_ json: AuthJSON) throws(SettingRefusal) {
        self = try Self.need(json.bool, "true or false", in: json)
    }
}

extension SettingValue where Self: FixedWidthInteger {
    static var blank: Self { 0 }
    static var schema: AuthJSON { ["type": "integer", "minimum": 0] }
    var setting: AuthJSON { .integer(Int64(self)) }
    mutating func take(_ json: AuthJSON) throws(SettingRefusal) {
        let number: Self? = if case .integer(let number) = json, number >= 0 { Self(exactly: number) } else { nil }
        self = try Self.need(number, "a whole number", in: json)
    }
}

extension Int: SettingValue {}
extension Int64: SettingValue {}

/// A number of seconds.
extension Double: SettingValue {
    static let blank = 0.0
    static var schema: AuthJSON { ["type": "number", "description": "Seconds."] }
    var setting: AuthJSON { Int64(exactly: self).map(AuthJSON.integer) ?? .number(self) }
    mutating func take(_ json: AuthJSON) throws(SettingRefusal) {
        let seconds: Double? =
            switch json {
            case .integer(let number): Double(number)
            case .number(let number): number
            default: nil
            }
        self = try Self.need(seconds.flatMap { abs($0) <= 1e10 ? $0 : nil }, "a number of seconds", in: json)
    }
}

extension Duration: SettingValue {
    static var blank: Duration { .zero }
    static var schema: AuthJSON { ["type": "number", "minimum": 0, "description": "Seconds."] }
    var setting: AuthJSON { (self / .seconds(1)).setting }
    mutating func take(_ json: AuthJSON) throws(SettingRefusal) {
        var seconds = 0.0
        try seconds.take(json)
        self = .seconds(try Self.need(seconds < 0 ? nil : seconds, "a number of seconds", in: json))
    }
}

/// A text, a number or nothing.
extension AuthJSON: SettingValue {
    static let blank = AuthJSON.null
    static var schema: AuthJSON { ["type": ["string", "number", "null"]] }
    var setting: AuthJSON { self }
    mutating func take(_ json: AuthJSON) throws(SettingRefusal) {
        let isPlain = json.object == nil && json.array == nil && json.bool == nil
        self = try Self.need(isPlain ? json : nil, "a text or a number", in: json)
    }
}

extension ProviderID: SettingValue {
    static var blank: ProviderID { ProviderID(rawValue: "") }
    static var schema: AuthJSON { String.schema }
    var setting: AuthJSON { .string(rawValue) }
    mutating func take(_ json: AuthJSON) throws(SettingRefusal) {
        self = ProviderID(rawValue: try Self.need(json.string, "a string", in: json))
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
        let elements = try Self.need(json.array, "a list", in: json)
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

extension [String: String]: SettingValue {
    static var blank: Self { [:] }
    static var schema: AuthJSON { ["type": "object", "additionalProperties": String.schema] }
    var setting: AuthJSON { .object(mapValues(\.setting)) }
    mutating func take(_ json: AuthJSON) throws(SettingRefusal) {
        let members = try Self.need(json.object, "an object", in: json)
        self = [:]
        for (name, member) in members { try self[name, default: ""].take(member) }
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
