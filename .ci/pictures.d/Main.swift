import Foundation

/// Draws the pictures of the articles: one file for light, and one for dark, of each table.
///
/// Usage: pictures TABLES ROOT
@main
enum Main {
    static func main() throws {
        guard CommandLine.arguments.count == 3 else { throw PictureError("Usage: pictures TABLES ROOT") }
        let (tables, root) = (CommandLine.arguments[1], CommandLine.arguments[2])
        for theme in [Theme.light, .dark] { try theme.requireContrast() }
        for name in try FileManager.default.contentsOfDirectory(atPath: tables).sorted()
        where name.hasSuffix(".picture") {
            do { try draw(String(contentsOfFile: "\(tables)/\(name)", encoding: .utf8), below: root) } catch {
                print("error: \(name): \(error)")
                exit(1)
            }
        }
    }

    private static func draw(_ text: String, below root: String) throws {
        let common = ["layout": 1, "file": 1, "title": 1, "description": 1]
        let drawings: [String: (words: [String: Int], draw: (Table) throws -> Canvas)] = [
            "chain": (["node": 2, "hop": 4, "failure": 3], chain),
            "states": (["state": 5, "substate": 6, "arrow": 3, "transition": 3], states),
            "sequence": (
                ["lane": 2, "hold": 3, "step": 3, "result": 2, "ending": 1, "ending step": 3, "ending result": 2],
                sequence
            ),
        ]
        let layout = text.split(separator: "\n").first { $0.hasPrefix("layout: ") }?.dropFirst(8)
        guard let drawing = layout.flatMap({ drawings[String($0)] }) else { throw PictureError("It has no layout.") }
        let table = try Table(reading: text, words: common.merging(drawing.words) { first, _ in first })
        let canvas = try drawing.draw(table)
        if let line = canvas.overflows.first { throw PictureError("A line is too long: \(line)") }
        let file = URL(fileURLWithPath: root).appendingPathComponent(try table.value("file"))
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        for (suffix, theme) in [("", Theme.light), ("~dark", .dark)] {
            try canvas.svg(table.value("title"), table.value("description"), in: theme)
                .write(toFile: "\(file.path)\(suffix).svg", atomically: true, encoding: .utf8)
        }
    }
}
