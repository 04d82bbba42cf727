import AuthStreams

/// The conflating view of a broadcast of numbers.
struct LatestChannel: Channel {
    let broadcast = Broadcast(0)

    func send(_ element: Int) { broadcast.send(element) }

    func read(_ body: (Int) -> Bool) async {
        for await element in broadcast.latest {
            guard body(element) else { return }
        }
    }

    func makeIterator() -> Broadcast<Int>.Latest.Iterator { broadcast.latest.makeAsyncIterator() }

    func finish() { broadcast.finish() }
}

extension Contestant where Ours == LatestChannel {
    static var latest: Self {
        Contestant(prefix: "latest-", title: "Broadcast<Int>.latest", make: { LatestChannel() })
    }
}
