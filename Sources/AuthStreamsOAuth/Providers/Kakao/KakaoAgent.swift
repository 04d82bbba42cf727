import Foundation

/// The `KA` header by which Kakao's clients identify themselves.
///
/// Words of the form `key/value`. Kakao compares `origin` with the bundle identifier registered in the console. Words
/// for statistics only, such as screen and device model, are left out.
package enum KakaoAgent {
    package static func current(bundleID: String?) -> String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        let locale = Locale.current
        let language = locale.language.languageCode?.identifier ?? "ko"
        return describe(
            system: "\(systemName)-\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)",
            language: "\(language)-\(locale.region?.identifier ?? "KR")", bundleID: bundleID)
    }

    package static func describe(system: String, language: String, bundleID: String?) -> String {
        let words = [
            ("sdk", "1.0.0"), ("sdk_type", "swift"), ("os", system), ("lang", language), ("origin", bundleID ?? ""),
        ]
        return words.map { "\($0)/\($1.replacing(" ", with: "_"))" }.joined(separator: " ")
    }

    private static var systemName: String {
        #if os(iOS)
            "ios"
        #elseif os(macOS)
            "macos"
        #elseif os(tvOS)
            "tvos"
        #elseif os(watchOS)
            "watchos"
        #elseif os(visionOS)
            "visionos"
        #else
            "linux"
        #endif
    }
}
