import AuthStreams

/// A broadcast of numbers, as an app in another module uses it.
struct BroadcastChannel: Channel {
    let broadcast = Broadcast(0)

    func send(_ element: Int) { broadcast.send(element) }

    func read(_ body: (Int) -> Bool) async {
        for await element in broadcast {
            guard body(element) else { return }
        }
    }

    func makeIterator() -> Broadcast<Int>.Iterator { broadcast.makeAsyncIterator() }

    func finish() { broadcast.finish() }
}

extension Contestant where Ours == BroadcastChannel {
    static var broadcast: Self {
        Contestant(prefix: "", title: "Broadcast<Int>", make: { BroadcastChannel() })
    }
}
