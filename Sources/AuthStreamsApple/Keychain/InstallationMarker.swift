#if AUTH_SECURITY
    import AuthStreams
    import Foundation
    import Security

    /// A file that the app makes at its first launch, and that is deleted with it.
    struct InstallationMarker: Sendable {
        /// The places of the file. One is enough to know the installation by.
        private let files: @Sendable () throws(AuthError) -> [URL]
        private let read: @Sendable (URL) throws -> Void

        /// - Parameters:
        ///   - read: Reads a file, or throws a `CocoaError`.
        ///   - files: Returns the places.
        init(
            read: @escaping @Sendable (URL) throws -> Void = { _ = try Data(contentsOf: $0) },
            in files: @escaping @Sendable () throws(AuthError) -> [URL]
        ) {
            self.files = files
            self.read = read
        }

        /// Returns whether one of the files exists. Without a place for it, the installation counts as the first one.
        ///
        /// - Throws: `storageLocked` if it may not be read now: its protection is that of the keychain's items. `storage` if
        ///   it cannot be read for another reason, `misconfigured` without its folder.
        func exists() throws(AuthError) -> Bool {
            let files = try files()
            for file in files {
                do {
                    try read(file)
                    return true
                } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
                    continue
                } catch let error as CocoaError where error.code == .fileReadNoPermission {
                    throw AuthError(
                        .storageLocked,
                        "The marker of the installation cannot be read before the device's first unlock. Try again after it.",
                        cause: error)
                } catch {
                    throw AuthError(.storage, "The marker of the installation could not be read.", cause: error)
                }
            }
            return files.isEmpty
        }

        /// Makes the file in each of its places where it does not exist.
        ///
        /// - Throws: `storageLocked` before the first unlock, `storage` if it cannot be made, `misconfigured` without its
        ///   folder.
        func make() throws(AuthError) {
            for file in try files() where (try? read(file)) == nil { try make(file) }
        }

        private func make(_ file: URL) throws(AuthError) {
            do {
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                // Not empty, so that it cannot be read without the key that protects it.
                try Data("installed".utf8).write(to: file, options: Self.protection)
            } catch {
                throw Self.failure(toMake: error)
            }
        }

        /// The system answers EPERM for a protected file before the first unlock, and EACCES where permissions are missing.
        static func failure(toMake error: any Error) -> AuthError {
            let reason = (error as? CocoaError)?.userInfo[NSUnderlyingErrorKey] as? any Error
            if let reason, (reason as NSError).domain == NSPOSIXErrorDomain, (reason as NSError).code == 1 {
                return AuthError(
                    .storageLocked, "The marker of the installation cannot be made before the device's first unlock.",
                    cause: error)
            }
            return AuthError(
                .storage,
                "The marker of the installation could not be made, so no session was stored. Free some space.",
                cause: error)
        }

        #if AUTH_DARWIN
            /// That of the keychain's items: readable from the first unlock on.
            private static let protection: Data.WritingOptions = .completeFileProtectionUntilFirstUserAuthentication
        #else
            private static let protection: Data.WritingOptions = []
        #endif
    }

    extension InstallationMarker {
        /// The file in the app's container, and in that of its App Group if it has one.
        ///
        /// - Parameter folder: The folder for application support in the app's container; the system's unless given.
        static func standard(service: String, appGroup: String?, folder: URL? = nil) -> Self {
            #if os(tvOS)
                // The system may empty every folder of an app, so that a file says nothing of the installation.
                return Self { [] }
            #else
                let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: ".-"))
                let name = service.addingPercentEncoding(withAllowedCharacters: allowed) ?? service
                return Self { () throws(AuthError) in
                    let container = if let folder { folder } else { try ownFolder() }
                    let own = container.appending(path: "AuthStreams/\(name).installed")
                    guard let appGroup else { return [own] }
                    return [own, try Self.container(of: appGroup).appending(path: "AuthStreams/\(name).installed")]
                }
            #endif
        }

        private static func ownFolder() throws(AuthError) -> URL {
            do {
                return try FileManager.default.url(
                    for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: false)
            } catch {
                throw AuthError(.storage, "The app has no folder for application support.", cause: error)
            }
        }

        private static func container(of appGroup: String) throws(AuthError) -> URL {
            let container = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: appGroup)
            guard let container else {
                throw AuthError(
                    .misconfigured,
                    """
                    The program has no container of the App Group '\(appGroup)'. Add it to the entitlement \
                    'com.apple.security.application-groups' of the app and of each extension.
                    """)
            }
            return container.appending(path: "Library/Application Support")
        }
    }
#endif
