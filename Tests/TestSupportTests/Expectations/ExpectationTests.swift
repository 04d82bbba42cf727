import Foundation
import TestSupport
import Testing

/// The functions of the package, and those among them that can fail a test.
private struct Expectations {
    /// What fails a test whose promise is broken. Contracts and timelines throw.
    private static let expectations = [
        "#expect", "#require", "Issue.record", "confirmation", "withKnownIssue", "wait(for: ", ".verify(", "Timeline(",
    ]

    private let functions: [(file: String, function: Function)]
    /// The places of the functions by module and name.
    private let modules: [String: [String: [Int]]]
    private var expecting: Set<Int>

    init(_ files: [String: String]) {
        functions = files.flatMap { file, text in Function.all(in: text).map { (file, $0) } }
        let places = functions.indices
        expecting = Set(
            places.filter { [functions] in functions[$0].function.expectsSomething(Self.expectations) })
        modules = Dictionary(grouping: places) { [functions] in Self.module(of: functions[$0].file) }
            .mapValues { [functions] in Dictionary(grouping: $0) { functions[$0].function.name } }
        var count = 0
        while count < expecting.count {
            count = expecting.count
            for place in places where !expecting.contains(place) {
                if functions[place].function.calls.contains(where: { isHelper($0, in: functions[place].file) }) {
                    expecting.insert(place)
                }
            }
        }
    }

    /// Which tests expect nothing, neither directly nor by helpers.
    var testsWithoutExpectation: [String] {
        functions.indices.filter { functions[$0].function.isTest && !expecting.contains($0) }
            .map { "\(Self.module(of: functions[$0].file)).\(functions[$0].function.name)" }.sorted()
    }

    /// Whether all functions of that name expect something: those of the file, or else those of the module, of `TestSupport`
    /// and of the libraries. In the file, one may leave that to another.
    private func isHelper(_ name: String, in file: String) -> Bool {
        let module = Self.module(of: file)
        let own = modules[module]?[name] ?? []
        let near = own.filter { functions[$0].file == file }
        if !near.isEmpty {
            return near.contains(where: expecting.contains)
                && near.allSatisfy { expecting.contains($0) || functions[$0].function.calls.contains(name) }
        }
        let all = own + [Self.support, Self.libraries].filter { $0 != module }.flatMap { modules[$0]?[name] ?? [] }
        return !all.isEmpty && all.allSatisfy(expecting.contains)
    }

    private static let support = "TestSupport"
    private static let libraries = "Sources"

    private static func module(of file: String) -> String {
        let path = file.split(separator: "/")
        return path.first == "Tests" ? String(path[1]) : libraries
    }
}

extension Function {
    fileprivate func expectsSomething(_ expectations: [String]) -> Bool {
        // Searching bytes is much faster than searching characters, and the package is long.
        expectations.contains { strstr(text, $0) != nil }
    }
}

@Suite struct ExpectationTests {
    @Test func everyTestExpectsSomething() throws {
        let files = try sourceFiles(below: "Tests")
        #expect(!files.isEmpty)
        let libraries = try sourceFiles(below: "Sources")
        let all = files.merging(libraries) { first, _ in first }
        #expect(Expectations(all).testsWithoutExpectation == [])
    }

    @Test func testWithoutAnExpectationIsFound() {
        let files = [
            "Sources/A/Program.swift": "extension Program {\n    func send() {}\n}\n",
            "Tests/TestSupport/Program.swift": """
            extension Program {
                func ends() { #expect(true) }
                func waitForCancellation() {}
            }
            """,
            "Tests/ATests/Helper.swift": """
            #if os(Linux)
                struct Scene {
                    init() { #expect(true) }

                    struct Part {
                        func isAsSaid() throws { try Part.isFine() }
                        static func isFine() throws { _ = try #require(Int("1")) }
                        func send() { Issue.record() }
                    }
                }
            #endif
            """,
            "Tests/ATests/Tests.swift": """
            @Suite struct Tests {
                init() {
                    #expect(true)
                }

                private func refused(_ text: String) { refused(text, 400) }
                private func refused(_ text: String, _ status: Int) { #expect(true) }

                @Test func direct() { #expect(true) }
                @Test func support() { Program().ends() }
                @Test func near() { refused("a") }

                @Test(arguments: [
                    1
                ])
                func nested(number: Int) throws {
                    try Scene.Part().isAsSaid()
                }

                @Test func contract() async throws { try await StoreContract().verify() }
                @Test func waits() async throws { try await wait(for: "a fact") { true } }
                @Test func empty() {}

                // #expect(true)
                @Test func cancelled(
                    first: Int
                ) async throws {
                    waitForCancellation()
                }

                #if os(Linux)
                    @Test func other() { _ = Scene() }
                #endif

                enum Inner {
                    @Test static func inner() {
                        print("expect")
                    }
                }
            }

            @Test func ofAnotherModule() { check() }
            @Test func ofALibrary() { Program().send() }
            """,
            "Tests/BTests/Tests.swift": "func check() { #expect(true) }\n@Test func same() { check() }\n",
        ]
        #expect(
            Expectations(files).testsWithoutExpectation == [
                "ATests.cancelled", "ATests.empty", "ATests.inner", "ATests.ofALibrary", "ATests.ofAnotherModule",
                "ATests.other",
            ])
    }
}
