import Foundation

@available(iOS, unavailable, message: "Store sessions in the keychain: KeychainSessionStore.")
@available(tvOS, unavailable, message: "Store sessions in the keychain: KeychainSessionStore.")
@available(watchOS, unavailable, message: "Store sessions in the keychain: KeychainSessionStore.")
@available(visionOS, unavailable, message: "Store sessions in the keychain: KeychainSessionStore.")
extension FileSessionStore {
    /// The store in the system's standard location.
    ///
    /// Linux: `$XDG_STATE_HOME/<application>/AuthStreams`, where `$XDG_STATE_HOME` is `~/.local/state` unless set (XDG
    /// Base Directory Specification; a value that is not an absolute path is ignored, as it requires). macOS:
    /// `Application Support/<application>/AuthStreams`. The store ignores other files of the app in its folder.
    ///
    /// - Parameter application: The name of the app's folder, such as its reverse domain name. With a name that would
    ///   lead elsewhere (empty, with a slash or NUL, or beginning with a dot) every call fails with `storage`.
    public static func standard(application: String) -> FileSessionStore {
        standard(application: application, environment: ProcessInfo.processInfo.environment)
    }

    static func standard(application: String, environment: [String: String]) -> FileSessionStore {
        let bytes = application.utf8
        guard let first = bytes.first, first != UInt8(ascii: "."), !bytes.contains(UInt8(ascii: "/")),
            !bytes.contains(0)
        else {
            return FileSessionStore(
                refusing: AuthError(
                    .storage,
                    "The application's name becomes a folder's: it must not be empty, hold '/' or NUL, or begin with '.'."
                ))
        }
        return FileSessionStore(folder: standardFolder(application, environment))
    }

    static func standardFolder(_ application: String, _ environment: [String: String]) -> URL {
        stateFolder(environment).appending(path: application).appending(
            path: "AuthStreams", directoryHint: .isDirectory)
    }

    private static func stateFolder(_ environment: [String: String]) -> URL {
        #if AUTH_DARWIN
            .applicationSupportDirectory
        #else
            if let given = environment["XDG_STATE_HOME"], given.hasPrefix("/") {
                return URL(filePath: given, directoryHint: .isDirectory)
            }
            return URL.homeDirectory.appending(path: ".local/state", directoryHint: .isDirectory)
        #endif
    }
}
