// What the processor seconds of the tests are divided by. Like the tests it is compiled without optimization, and does what
// they spend most on: generic code, allocations, dictionaries, text and bytes.

struct Item<Key: Hashable>: Hashable {
    var key: Key
    var keys: [Key]
    var text: String
}

final class Node {
    let number: Int
    let next: Node?

    init(_ number: Int, before next: Node?) {
        (self.number, self.next) = (number, next)
    }
}

func count<Key: Hashable>(_ keys: [Key], _ rounds: Int) -> Int {
    var counts: [Item<Key>: Int] = [:]
    for round in 0..<rounds {
        for key in keys { counts[Item(key: key, keys: keys, text: "key \(round % 97)"), default: 0] += round }
    }
    return counts.values.reduce(0, &+)
}

func list(_ length: Int) -> Int {
    var node = (1...length).reduce(nil as Node?) { Node($1, before: $0) }
    var sum = 0
    while let current = node {
        sum &+= current.number
        node = current.next
    }
    return sum
}

func text(_ length: Int) -> Int {
    let digits = (0..<length).lazy.map { $0 * 3 }.filter { !$0.isMultiple(of: 2) }.map(String.init)
    return digits.joined(separator: ",").utf8.split(separator: UInt8(ascii: ",")).map(\.count).reduce(0, &+)
}

var sum = 0
for round in 0..<60 {
    sum &+= count([1, 2, 3, round], 400) &+ count(["a", "b", String(round)], 300)
    sum &+= list(20_000) &+ text(20_000)
}
print(sum)
