import Foundation

/// The toolchain's own modules, as copies for Apple's systems.
///
/// The modules of Linux carry the availability of Apple's systems; the compiler is silent about it only because its
/// target is Linux. In a copy the target is one of Apple's, in as many bytes. What Apple's systems do not have gets
/// another name, also in as many bytes, so that sources that name it do not compile.
struct LinuxModules: Sendable {
    /// Modules that Apple's systems do not have. Other modules of Linux import them.
    private static let absentModules = [
        "Glibc", "FoundationNetworking", "FoundationEssentials", "FoundationInternationalization",
    ]
    private static let uncopiedModules: Set = ["FoundationXML", "XCTest", "Cxx", "CxxStdlib"]

    let triple: String
    let resources: URL
    private let architecture: String
    private var modules: [(name: String, bytes: [UInt8])] = []

    init() throws {
        struct Info: Decodable {
            struct Target: Decodable { let moduleTriple: String, arch: String }
            struct Paths: Decodable { let runtimeResourcePath: String }
            let target: Target, paths: Paths
        }
        let folder = URL(filePath: "/")
        let info = try JSONDecoder().decode(
            Info.self, from: Command.output(of: ["swiftc", "-print-target-info"], in: folder))
        triple = info.target.moduleTriple
        architecture = info.target.arch
        resources = URL(filePath: info.paths.runtimeResourcePath)
        guard triple.contains("linux") else {
            throw CannotLook(reason: "this toolchain is not Linux's; on a Mac, build the package instead")
        }
        for entry in try FileManager.default.contentsOfDirectory(at: linux, includingPropertiesForKeys: nil) {
            let file = entry.appending(path: triple + ".swiftmodule")
            let name = entry.deletingPathExtension().lastPathComponent
            guard entry.pathExtension == "swiftmodule", !Self.uncopiedModules.contains(name),
                let data = try? Data(contentsOf: file)
            else { continue }
            var bytes = [UInt8](data)
            for absent in Self.absentModules { bytes.replace(absent, with: Self.renamed(absent)) }
            guard bytes.offsets(of: triple).count == 1 else {
                throw CannotLook(reason: "the module \(name) does not name its target once")
            }
            modules.append((Self.absentModules.contains(name) ? Self.renamed(name) : name, bytes))
        }
    }

    private var linux: URL { resources.appending(path: "linux") }

    /// Another name, in as many letters, for what Apple's systems do not have.
    static func renamed(_ name: String) -> String { "X" + name.dropFirst() }

    /// Stubs may use what Apple's systems do not have: they stand for code that is not compiled here.
    static var aliases: [String] { absentModules.flatMap { ["-module-alias", "\($0)=\(renamed($0))"] } }

    /// Writes the copies for a platform.
    ///
    /// - Returns: The flags of the compiler's frontend that use them.
    func copy(for platform: Platform, version: String, to folder: URL) throws -> [String] {
        let target = try platform.triple(asLongAs: triple)
        for (name, original) in modules {
            var bytes = original
            bytes.replace(triple, with: target)
            for absent in platform.absentNames { bytes.renameDeclaration(absent, to: Self.renamed(absent)) }
            let module = folder.appending(path: name + ".swiftmodule")
            try FileManager.default.createDirectory(at: module, withIntermediateDirectories: true)
            try Data(bytes).write(to: module.appending(path: platform.moduleFile + ".swiftmodule"))
        }
        try copyTesting(for: platform, version: version, to: folder)
        let map = folder.appending(path: "glibc.modulemap")
        let header = linux.appending(path: "\(architecture)/SwiftGlibc.h").path
        try Data("module SwiftXlibc [system] { header \"\(header)\" export * }\n".utf8).write(to: map)
        let plugins = resources.appending(path: "host/plugins").path
        return [
            "-target", platform.triple(version), "-clang-target", triple, "-disable-objc-interop",
            "-I", folder.path, "-I", resources.path, "-plugin-path", plugins, "-plugin-path", plugins + "/testing",
            "-Xcc", "-fmodule-map-file=" + map.path, "-module-cache-path", folder.appending(path: "cache").path,
            "-diagnostic-style", "llvm",
        ]
    }

    /// Swift Testing comes as text, which the compiler reads for whatever target that names.
    private func copyTesting(for platform: Platform, version: String, to folder: URL) throws {
        let original = linux.appending(path: "Testing.swiftmodule/\(triple).swiftinterface")
        let text = try String(contentsOf: original, encoding: .utf8)
        let module = folder.appending(path: "Testing.swiftmodule")
        try FileManager.default.createDirectory(at: module, withIntermediateDirectories: true)
        try Data(text.replacingOccurrences(of: "-target \(triple)", with: "-target \(platform.triple(version))").utf8)
            .write(to: module.appending(path: platform.moduleFile + ".swiftinterface"))
    }
}

extension [UInt8] {
    func offsets(of text: String) -> [Int] {
        let wanted = Array(text.utf8)
        return withUnsafeBufferPointer { bytes in
            var found: [Int] = []
            for offset in 0..<Swift.max(0, bytes.count - wanted.count) where bytes[offset] == wanted[0] {
                if bytes[offset..<offset + wanted.count].elementsEqual(wanted) { found.append(offset) }
            }
            return found
        }
    }

    mutating func replace(_ text: String, with other: String) {
        for offset in offsets(of: text) { replaceSubrange(offset..<offset + text.utf8.count, with: Array(other.utf8)) }
    }

    /// Gives a declaration another name in the tables by which a module's declarations are found.
    ///
    /// An entry has the length of its key and of its data, two bytes each; then the key: a zero, and the name.
    mutating func renameDeclaration(_ name: String, to other: String) {
        for offset in offsets(of: "\0" + name) where offset >= 4 {
            guard self[offset - 4] == UInt8(name.utf8.count + 1), self[offset - 3] == 0 else { continue }
            replaceSubrange(offset + 1..<offset + 1 + name.utf8.count, with: Array(other.utf8))
        }
    }
}
