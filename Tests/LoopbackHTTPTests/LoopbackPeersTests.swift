#if os(Linux)
    import Dispatch
    import Foundation
    import TestSupport
    import Testing

    @testable import LoopbackHTTP

    /// Whose connections a server accepts.
    @Suite(.limitedParallelization) struct LoopbackPeersTests {
        private static let request = "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"

        @Test(
            .enabled(if: OtherUser.stranger != nil, "Only root can open a socket of another user."),
            arguments: [LoopbackAddress.ipv4, .ipv6])
        func connectionOfAnotherUserIsClosed(address: LoopbackAddress) async throws {
            guard
                let server = try? LoopbackServer.start(
                    at: address, accepting: .thisUser, handler: { _ in .html("mine") })
            else {
                // A machine without IPv6.
                #expect(address == .ipv6)
                return
            }
            let stranger = try RawClient(at: address, port: server.port, user: OtherUser.stranger)
            await stranger.send(Self.request)
            #expect(await stranger.receiveAll().isEmpty)
            #expect(try await RawClient.exchange(Self.request, at: address, port: server.port).contains("mine"))
            #expect(server.refusedConnections == 1)
        }

        /// A relay of root may connect for others, also where the process is root's.
        @Test(.enabled(if: OtherUser.stranger != nil, "Only root can open a socket of another user."))
        func connectionOfRootIsAcceptedAndNotPrivate() async throws {
            let user = try #require(OtherUser.stranger)
            let ofRoot = try LoopbackServer.start(accepting: .thisUser) { _ in .html("mine") }
            let ofUser = try OtherUser.run(as: user) { () throws(LoopbackServerError) in
                try LoopbackServer.start(accepting: .user(user.id)) { _ in .html("mine") }
            }
            for server in [ofRoot, ofUser] { #expect(server.isPrivate) }
            let client = try RawClient(port: ofUser.port, user: user)
            await client.send(Self.request)
            #expect(await client.receiveAll().contains("mine") && ofUser.isPrivate)
            for server in [ofRoot, ofUser] {
                #expect(try await RawClient.exchange(Self.request, port: server.port).contains("mine"))
                #expect(!server.isPrivate && server.refusedConnections == 0)
            }
        }

        @Test(.enabled(if: OtherUser.stranger != nil, "Only root can open a socket of another user."))
        func everyUserIsAcceptedUnlessAskedOtherwise() async throws {
            let server = try LoopbackServer.start { _ in .html("everyone") }
            #expect(!server.isPrivate)
            let client = try RawClient(port: server.port, user: OtherUser.stranger)
            await client.send(Self.request)
            #expect(await client.receiveAll().contains("everyone"))
        }

        /// The list is then longer than a page.
        @Test func connectionBesideManyOthersIsFound() async throws {
            let server = try LoopbackServer.start(accepting: .thisUser) { _ in .html("mine") }
            #expect(server.isPrivate)
            let others = try (0..<64).map { _ in try LoopbackServer.start { _ in .html("") } }
            #expect(try await RawClient.exchange(Self.request, port: server.port).contains("mine"))
            #expect(server.refusedConnections == 0)
            withExtendedLifetime(others) {}
        }

        /// An answer of the system about one socket, and its lists.
        @Test(arguments: [LoopbackAddress.ipv4, .ipv6], [nil, OtherUser.stranger])
        func systemSaysTheSameAsItsLists(address: LoopbackAddress, user: OtherUser?) async throws {
            guard let listener = try? LoopbackSocket.listening(at: address, on: 0, open: DispatchGroup()) else {
                // A machine without IPv6.
                #expect(address == .ipv6)
                return
            }
            let ways = try [nil, LoopbackPeers.systemTables].map {
                try #require(LoopbackPeers(of: listener, user: geteuid(), tables: $0))
            }
            var client: RawClient? = try RawClient(at: address, port: #require(listener.address?.port), user: user)
            var accepted: LoopbackSocket?
            try await wait(for: "the connection") {
                accepted = try listener.accepted()
                return accepted != nil
            }
            let connection = try #require(accepted)
            for peers in ways { #expect(peers.user(of: connection) == user?.id ?? geteuid()) }
            // Only a program that another test starts at this moment has the socket open too, until its `exec`.
            let program = try InheritingProgram()
            client = nil
            for peers in ways {
                try await wait(for: "the socket to be closed") { peers.user(of: connection) == nil }
            }
            withExtendedLifetime(client) {}
            _ = consume program
        }

        /// The system's lists, in which another user, a closed socket or nothing is at the other end.
        @Test func connectionCountsAsThisUsersOnlyIfTheSystemSaysSo() async throws {
            let listener = try LoopbackSocket.listening(at: .ipv4, on: 0, open: DispatchGroup())
            let client = try RawClient(port: try #require(listener.address?.port))
            var accepted: LoopbackSocket?
            try await wait(for: "the connection") {
                accepted = try listener.accepted()
                return accepted != nil
            }
            let connection = try #require(accepted)
            let (own, other) = (try #require(connection.address), try #require(connection.peerAddress))
            let folder = FileManager.default.temporaryDirectory.appending(path: "peers-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }

            func line(_ local: String, _ remote: String, user: uid_t, inode: Int) -> String {
                "   7: \(local) \(remote) 01 00000000:00000000 00:00000000 00000000 \(user)        0 \(inode) 1 0 20\n"
            }
            func hexadecimal(_ port: UInt16) -> String { String(format: "%04X", Int(port)) }
            let (me, root, stranger) = (geteuid(), uid_t(0), uid_t(4_000_000_001))
            let listening = ("0100007F:\(hexadecimal(own.port))", "00000000:0000")
            let ends = ("0100007F:\(hexadecimal(other.port))", "0100007F:\(hexadecimal(own.port))")
            let mapped = (
                "0000000000000000FFFF00000100007F:\(hexadecimal(other.port))",
                "0000000000000000FFFF00000100007F:\(hexadecimal(own.port))"
            )
            /// Whose the connection is.
            func owner(_ lines: [String], _ lines6: [String] = []) throws -> String {
                let tables = ["tcp", "tcp6"].map { folder.appending(path: $0) }
                for (table, lines) in zip(tables, [lines, lines6]) {
                    try Data(("  sl  local_address rem_address\n" + lines.joined()).utf8).write(to: table)
                }
                guard let peers = LoopbackPeers(of: listener, user: me, tables: tables.map { $0.path() }) else {
                    return "the system does not say"
                }
                return peers.user(of: connection).map { "\($0)" } ?? "none"
            }
            let listed = line(listening.0, listening.1, user: me, inode: 5)
            /// More lines than the system's file has in one page.
            let others = (0..<UInt16(1_000)).map {
                line("0100007F:\(hexadecimal($0))", "00000000:0000", user: me, inode: 9)
            }
            let cases: [(lines: [String], lines6: [String], owner: String)] = [
                ([listed, line(ends.0, ends.1, user: me, inode: 6)], [], "\(me)"),
                ([listed] + others + [line(ends.0, ends.1, user: root, inode: 6)], [], "0"),
                ([listed, line(ends.0, ends.1, user: stranger, inode: 6)], [], "\(stranger)"),
                ([listed, line(ends.0, ends.1, user: me, inode: 0)], [], "none"),
                ([listed, line(ends.1, ends.0, user: me, inode: 6)], [], "none"),
                ([listed], [line(mapped.0, mapped.1, user: stranger, inode: 6)], "\(stranger)"),
                ([line(ends.0, ends.1, user: me, inode: 6)], [], "the system does not say"),
                ([line(listening.0, listening.1, user: stranger, inode: 5)], [], "the system does not say"),
            ]
            for (index, entry) in cases.enumerated() {
                #expect(try owner(entry.lines, entry.lines6) == entry.owner, "case \(index)")
            }
            #expect(LoopbackPeers(of: listener, user: me, tables: ["/absent"]) == nil)
            withExtendedLifetime(client) {}
        }
    }
#endif
