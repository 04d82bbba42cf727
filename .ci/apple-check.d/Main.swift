import Foundation

@main
enum AppleCheck {
    static let usage = """
        Finds what Apple's compilers would refuse in the package, on Linux.

        Usage: .ci/apple-check [PACKAGE]      this package, unless another is given
               .ci/apple-check --tutorials    the steps of the tutorials alone, for iOS
               .ci/apple-check --self-test    shows on planted faults that they are found, and nothing else

        Exit status: 0 nothing found, 1 something found, 2 it could not look.
        """

    static func main() async {
        do {
            exit(try await run(Array(CommandLine.arguments.dropFirst())))
        } catch {
            print("error: \((error as? CannotLook)?.reason ?? "\(error)")")
            exit(2)
        }
    }

    /// The first argument is the folder of this program.
    private static func run(_ arguments: [String]) async throws -> Int32 {
        let folder = URL(filePath: arguments[0])
        let standIns = folder.appending(path: "stand-ins")
        switch arguments.dropFirst().first {
        case "--self-test":
            let planted = folder.appending(path: "planted")
            let problems = try await SelfTest(package: planted, standIns: standIns).problems()
            for problem in problems { print("error: \(problem)") }
            guard problems.isEmpty else { return 1 }
            print("Each planted fault was found on each of its platforms, and nothing else.")
            return 0
        case "--tutorials":
            let root = folder.appending(path: "../..").standardizedFileURL
            let platforms = Platform.all.filter(\.hasTutorials)
            return try await look(Check(package: root, standIns: standIns, platforms: platforms, isOfTutorials: true))
        case let option? where option.hasPrefix("-"):
            print(usage)
            return option == "--help" ? 0 : 2
        case let package:
            let root = package.map { URL(filePath: $0) } ?? folder.appending(path: "../..")
            guard FileManager.default.fileExists(atPath: root.appending(path: "Package.swift").path) else {
                throw CannotLook(reason: "there is no Package.swift in \(root.path)")
            }
            return try await look(Check(package: root.standardizedFileURL, standIns: standIns))
        }
    }

    private static func look(_ check: Check) async throws -> Int32 {
        let began = ContinuousClock.now
        let report = try await check.report()
        let lines = report.lines
        for line in lines + report.notes { print(line) }
        let platforms = check.platforms.map(\.name).joined(separator: ", ")
        print("\(lines.count) found for \(platforms), in \((ContinuousClock.now - began).components.seconds) s.")
        return lines.isEmpty ? 0 : 1
    }
}
