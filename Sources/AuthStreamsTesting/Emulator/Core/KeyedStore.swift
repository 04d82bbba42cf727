import AuthStreams
import Foundation

/// How much an emulator keeps of what grows with each request. Beyond it the values that were not used for the longest time
/// are dropped, and the journal says so.
///
/// Even in a load test, a sign-in is over before a thousand others have begun, and a device that refreshes its session keeps it.
enum EmulatorLimit {
    /// What a sign-in has one of: codes, pages, tickets, challenges, mails, sessions.
    static let signIns = 1_024
    /// Tokens, of which a sign-in has two.
    static let tokens = 2 * signIns
    /// Requests in the journal: a sign-in sends four or more.
    static let requests = 4 * signIns
}

/// Values by key, found by key or by a further name without a search, in the order in which they were added.
///
/// With a quarter more values than its limit it drops those that were added, changed or found the longest time ago.
struct KeyedStore<Value> {
    fileprivate struct Entry {
        let number: Int
        /// The number of the use: of the addition, the last change, or the last ``KeyedStore/find(_:)``.
        var use: Int
        var value: Value
    }

    private let kind: String
    private let limit: Int
    private let names: @Sendable (Value) -> [String]
    private var entries: [String: Entry] = [:]
    private var named: [String: Set<String>] = [:]
    private var uses = 0
    private var hasDropped = false
    /// Tells the keys that this store has made from others.
    private let mark = GrantStore.randomBytes(from: 1).prefix(3)

    /// - Parameters:
    ///   - kind: What a value is, for the journal, such as `code`.
    ///   - limit: How many values it keeps at least.
    ///   - names: Returns the further names of a value, which several may have.
    init(_ kind: String, limit: Int = .max / 2, names: @escaping @Sendable (Value) -> [String] = { _ in [] }) {
        (self.kind, self.limit, self.names) = (kind, limit, names)
    }

    /// All values, the oldest first.
    var all: [Value] { Self.sorted(entries.values) }

    /// The value of a key. A further value gets the next number, and another one of the same key keeps it.
    subscript(key: String) -> Value? {
        get { entries[key]?.value }
        set {
            let old = entries.removeValue(forKey: key)
            for name in old.map({ names($0.value) }) ?? [] {
                named[name]?.remove(key)
                if named[name]?.isEmpty == true { named[name] = nil }
            }
            guard let newValue else { return }
            uses += 1
            entries[key] = Entry(number: old?.number ?? uses, use: uses, value: newValue)
            for name in names(newValue) { named[name, default: []].insert(key) }
            if entries.count > limit + limit / 4 { drop(entries.count - limit) }
        }
    }

    private mutating func drop(_ count: Int) {
        hasDropped = true
        RequestNotes.add("the \(count) least recently used of kind \(kind) were dropped: \(limit) are kept")
        let oldest = entries.values.map(\.use).sorted()[count]
        for (key, entry) in entries where entry.use < oldest { self[key] = nil }
    }

    /// Adds a value under a new key, and returns that.
    mutating func add(_ value: Value, _ prefix: String = "") -> String {
        let key = newKey(prefix)
        self[key] = value
        return key
    }

    /// Returns a key for the next value: 168 random bits and the store's mark, in Base64url after a prefix.
    func newKey(_ prefix: String = "") -> String {
        prefix + Base64URL.encode(GrantStore.randomBytes().dropLast(3) + mark)
    }

    /// Returns the value of a key and notes that it was used. If the value may have been dropped, the journal says so.
    mutating func find(_ key: String) -> Value? {
        uses += 1
        if let value = entries[key]?.value {
            entries[key]?.use = uses
            return value
        }
        // Naver's tokens have the standard alphabet.
        let end = key.suffix(4).replacing("+", with: "-").replacing("/", with: "_")
        if hasDropped, Base64URL.decode(String(end))?.elementsEqual(mark) == true {
            RequestNotes.add("this \(kind) was removed, or dropped since it was not used for long")
        }
        return nil
    }

    /// Removes a value and returns it; see ``find(_:)``.
    mutating func take(_ key: String) -> Value? {
        defer { self[key] = nil }
        return find(key)
    }

    func keys(named name: String) -> Set<String> { named[name] ?? [] }

    /// The values of a name, the oldest first.
    func all(named name: String) -> [Value] { Self.sorted(keys(named: name).compactMap { entries[$0] }) }

    /// The oldest value of a name.
    func first(named name: String) -> Value? { all(named: name).first }

    mutating func removeAll(named name: String, where isOver: (Value) -> Bool = { _ in true }) {
        for key in keys(named: name) where entries[key].map({ isOver($0.value) }) ?? false { self[key] = nil }
    }

    /// Changes a value; returns `false` if there is none of that key.
    @discardableResult
    mutating func update(_ key: String, _ change: (inout Value) -> Void) -> Bool {
        guard var value = self[key] else { return false }
        change(&value)
        self[key] = value
        return true
    }

    private static func sorted(_ entries: some Sequence<Entry>) -> [Value] {
        entries.sorted { $0.number < $1.number }.map(\.value)
    }
}

extension KeyedStore: Sendable where Value: Sendable {}
extension KeyedStore.Entry: Sendable where Value: Sendable {}
extension RecentList: Sendable where Element: Sendable {}

extension KeyedStore<Void> {
    /// Returns whether a key is new. From then on it is known.
    mutating func insert(_ key: String) -> Bool {
        defer { self[key] = () }
        return self[key] == nil
    }
}

/// A token that names its session and has numbers of its own, proved by a secret of the session. The emulator keeps the session, and
/// no token.
struct SessionToken {
    let session: String
    let numbers: [Int64]
    let text: String
    private let prefix: String

    /// Makes a token.
    init(_ prefix: String, of session: String, _ numbers: Int64..., by secret: String) {
        self.init(prefix, session, numbers, secret)
    }

    /// Reads a token, valid or not; `nil` for a text of another form.
    init?(_ prefix: String, _ text: String?) {
        let parts = text?.split(separator: ".", omittingEmptySubsequences: false) ?? []
        guard let text, text.hasPrefix(prefix), parts.count > 1 else { return nil }
        session = String(parts[0].dropFirst(prefix.count))
        numbers = parts[1..<parts.endIndex - 1].compactMap { Int64($0) }
        (self.prefix, self.text) = (prefix, text)
    }

    private init(_ prefix: String, _ session: String, _ numbers: [Int64], _ secret: String) {
        let content = "\(prefix)\(session).\(numbers.map { "\($0)." }.joined())"
        (self.prefix, self.session, self.numbers) = (prefix, session, numbers)
        text = content + SHA256.hex(secret + content).prefix(32)
    }

    /// Whether a session of that secret has issued it.
    func isValid(by secret: String) -> Bool { text == Self(prefix, session, numbers, secret).text }
}

/// The newest elements of a list: beyond its limit each further one takes the place of the oldest.
struct RecentList<Element> {
    private let kind: String
    private let limit: Int
    /// How many were ever appended.
    private(set) var count = 0
    private var slots: [Element] = []

    init(_ kind: String, limit: Int) { (self.kind, self.limit) = (kind, limit) }

    /// How many were dropped.
    private var dropped: Int { count - slots.count }

    /// The elements, the oldest first.
    var all: [Element] {
        let oldest = dropped % max(1, slots.count)
        return Array(slots[oldest...] + slots[..<oldest])
    }

    /// The element of a number, counted from 0 since the first one; `nil` if it was dropped.
    subscript(number: Int) -> Element? { (dropped..<count).contains(number) ? slots[number % limit] : nil }

    /// Changes the element of a number, unless it was dropped.
    mutating func update(_ number: Int, _ change: (inout Element) -> Void) {
        if (dropped..<count).contains(number) { change(&slots[number % limit]) }
    }

    /// Appends an element. The journal says when the first one is dropped, and whenever all were replaced again.
    mutating func append(_ element: Element) {
        count += 1
        guard slots.count == limit else { return slots.append(element) }
        let slot = (count - 1) % limit
        slots[slot] = element
        if slot == 0 {
            RequestNotes.add("the oldest \(kind) was dropped, as another will be for each new one: \(limit) are kept")
        }
    }
}
