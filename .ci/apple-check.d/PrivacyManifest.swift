import Foundation

/// A library's privacy manifest, compared with the functions that the library calls.
///
/// Keys, values and the functions that need a reason are those of Apple's pages 'Privacy manifest files', 'Describing use of
/// required reason API' and 'Describing data use in privacy manifests'.
struct PrivacyManifest: Decodable {
    struct AccessedAPI: Decodable {
        let type: String
        let reasons: [String]

        enum CodingKeys: String, CodingKey {
            case type = "NSPrivacyAccessedAPIType"
            case reasons = "NSPrivacyAccessedAPITypeReasons"
        }
    }

    struct CollectedData: Decodable {
        let type: String
        let isLinked: Bool
        let isForTracking: Bool
        let purposes: [String]

        enum CodingKeys: String, CodingKey {
            case type = "NSPrivacyCollectedDataType"
            case isLinked = "NSPrivacyCollectedDataTypeLinked"
            case isForTracking = "NSPrivacyCollectedDataTypeTracking"
            case purposes = "NSPrivacyCollectedDataTypePurposes"
        }
    }

    /// Functions that need a reason, and the reasons that Apple accepts.
    struct Category {
        let name: String
        /// Functions of C, by their symbols.
        var functions: Set<String> = []
        /// Parts of the names of Swift symbols.
        var declarations: [String] = []
        let reasons: Set<String>

        static let all = [
            Category(
                name: "FileTimestamp",
                functions: [
                    "_stat", "_fstat", "_fstatat", "_lstat", "_getattrlist", "_fgetattrlist", "_getattrlistat",
                    "_getattrlistbulk",
                ],
                declarations: [
                    "FileAttributeKeyV12creationDate", "FileAttributeKeyV16modificationDate", "fileModificationDate",
                    "contentModificationDate", "creationDateKey",
                ],
                reasons: ["DDA9.1", "C617.1", "3B52.1", "0A2A.1"]),
            Category(
                name: "SystemBootTime", functions: ["_mach_absolute_time"], declarations: ["systemUptime"],
                reasons: ["35F9.1", "8FFB.1", "3D61.1"]),
            Category(
                name: "DiskSpace",
                functions: [
                    "_statfs", "_fstatfs", "_statvfs", "_fstatvfs", "_getattrlist", "_fgetattrlist", "_getattrlistat",
                ],
                declarations: [
                    "volumeAvailableCapacity", "volumeTotalCapacity", "FileAttributeKeyV14systemFreeSize",
                    "FileAttributeKeyV10systemSize",
                ],
                reasons: ["85F4.1", "E174.1", "7D9E.1", "B728.1"]),
            Category(
                name: "ActiveKeyboards", declarations: ["activeInputModes"], reasons: ["3EC4.1", "54BD.1"]),
            Category(
                name: "UserDefaults", declarations: ["12UserDefaultsC"],
                reasons: ["CA92.1", "1C8F.1", "C56D.1", "AC6B.1"]),
        ]

        var key: String { "NSPrivacyAccessedAPICategory" + name }

        func has(_ symbol: String) -> Bool {
            functions.contains(symbol) || declarations.contains { symbol.contains($0) }
        }
    }

    static let fileName = "PrivacyInfo.xcprivacy"
    /// What a library for signing in may collect.
    private static let dataTypes: Set = ["Name", "EmailAddress", "PhoneNumber", "UserID"]

    let isForTracking: Bool
    let domains: [String]
    let accessed: [AccessedAPI]
    let collected: [CollectedData]

    enum CodingKeys: String, CodingKey {
        case isForTracking = "NSPrivacyTracking"
        case domains = "NSPrivacyTrackingDomains"
        case accessed = "NSPrivacyAccessedAPITypes"
        case collected = "NSPrivacyCollectedDataTypes"
    }

    /// What is wrong with the manifest in a folder, given the symbols that the library there refers to.
    static func problems(in folder: URL, symbols: Set<String>) throws -> [String] {
        let file = folder.appending(path: fileName)
        guard FileManager.default.fileExists(atPath: file.path) else {
            return Category.all.flatMap { $0.undeclared(by: nil, symbols) }
        }
        let manifest: Self
        do {
            manifest = try PropertyListDecoder().decode(Self.self, from: Data(contentsOf: file))
        } catch {
            return ["\(fileName) is not a privacy manifest: \(error)"]
        }
        var problems = Category.all.flatMap { $0.undeclared(by: manifest, symbols) }
        for api in manifest.accessed {
            guard let category = Category.all.first(where: { $0.key == api.type }) else {
                problems.append("\(fileName) names '\(api.type)', which is no category")
                continue
            }
            if !symbols.contains(where: category.has) {
                problems.append("\(fileName) gives a reason for \(category.name), and the library calls none of it")
            }
            if api.reasons.isEmpty || !category.reasons.isSuperset(of: api.reasons) {
                problems.append("\(fileName) gives reasons for \(category.name) that Apple does not know")
            }
        }
        for data in manifest.collected {
            let isKnown = dataTypes.contains { data.type == "NSPrivacyCollectedDataType" + $0 }
            if !isKnown || data.purposes != ["NSPrivacyCollectedDataTypePurposeAppFunctionality"] || data.isForTracking
            {
                problems.append("\(fileName) collects '\(data.type)' as no library for signing in should")
            }
        }
        if manifest.isForTracking || !manifest.domains.isEmpty { problems.append("\(fileName) says that it tracks") }
        return problems
    }
}

extension PrivacyManifest.Category {
    fileprivate func undeclared(by manifest: PrivacyManifest?, _ symbols: Set<String>) -> [String] {
        guard let symbol = symbols.filter(has).min(), manifest?.accessed.contains(where: { $0.type == key }) != true
        else { return [] }
        return ["the library refers to '\(symbol)', and \(PrivacyManifest.fileName) has no reason for \(name)"]
    }
}
