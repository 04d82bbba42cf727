#if os(Linux) || os(macOS)
    import AuthStreams
    import Foundation

    /// A page in a file of this user alone that leads to an address. Releasing it removes it.
    ///
    /// The folder is in the person's home and its name does not begin with a dot: a browser in a sandbox, such as a snap, can
    /// read no other.
    final class BrowserPage: Sendable {
        /// The page's file.
        let path: String
        private let folder: String

        private static let prefix = "AuthStreams-sign-in-"
        private static let file = "sign-in.html"
        /// The age, in seconds, from which a folder is one that a process could not remove.
        private static let maximumAge: TimeInterval = 86_400

        /// Writes the page.
        ///
        /// - Parameter home: The person's home; `nil` if it is not known.
        /// - Throws: `CocoaError` if there is no home, or if it is not of this user alone to write; an error of the file system.
        init(leadingTo address: URL, home: String?) throws {
            guard let home, home.hasPrefix("/") else { throw CocoaError(.fileNoSuchFile) }
            // Another user who may write there could put a page in the folder's place.
            let attributes = try FileManager.default.attributesOfItem(atPath: home)
            guard (attributes[.ownerAccountID] as? NSNumber)?.uint32Value == geteuid(),
                let permissions = (attributes[.posixPermissions] as? NSNumber)?.intValue, permissions & 0o022 == 0
            else { throw CocoaError(.fileWriteNoPermission) }
            Self.removeLeftovers(in: home)
            var template = Array("\(home)/\(Self.prefix)XXXXXX".utf8CString)
            // Only this user can read it, with any umask.
            guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
            folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
            path = "\(folder)/\(Self.file)"
            do { try Data(Self.html(leadingTo: address).utf8).write(to: URL(filePath: path)) } catch {
                Self.remove(folder)
                throw error
            }
        }

        deinit { Self.remove(folder) }

        /// Removes the file and the folder, unless it holds something else.
        private static func remove(_ folder: String) {
            unlink("\(folder)/\(file)")
            rmdir(folder)
        }

        /// Removes the pages of processes that ended before they could, such as by an interrupt from the keyboard.
        private static func removeLeftovers(in home: String) {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: home)) ?? [] where name.hasPrefix(prefix)
            {
                let folder = "\(home)/\(name)"
                let attributes = try? FileManager.default.attributesOfItem(atPath: folder)
                guard attributes?[.type] as? FileAttributeType == .typeDirectory,
                    let date = attributes?[.modificationDate] as? Date, -date.timeIntervalSinceNow > maximumAge
                else { continue }
                remove(folder)
            }
        }

        private static func html(leadingTo address: URL) -> String {
            let link = address.absoluteString.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
                .replacing("<", with: "&lt;")
            return """
                <!doctype html>
                <html lang="en">
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="referrer" content="no-referrer">
                <meta http-equiv="refresh" content="0; url=\(link)">
                <title>Sign in</title>
                <p><a href="\(link)">Continue to sign in</a></p>
                <p lang="ko"><a href="\(link)">로그인 계속하기</a></p>
                </html>

                """
        }
    }
#endif
