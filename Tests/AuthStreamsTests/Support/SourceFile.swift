import Foundation

/// A file of the package, for tests that compare the code with what is said about it.
func sourceFile(_ path: String, from test: String = #filePath) throws -> String {
    let root = test.range(of: "/Tests/", options: .backwards).map { test[..<$0.lowerBound] } ?? ""
    return try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
}
