// What Darwin's headers have besides those of Linux: open(2), fcntl(2), socket(2), setsockopt(2).
@_exported public import Glibc

public var O_EVTONLY: Int32 { 0x8000 }
public var F_FULLFSYNC: Int32 { 51 }
public var F_BARRIERFSYNC: Int32 { 85 }
public var SO_NOSIGPIPE: Int32 { 0x1022 }
public var SOCK_STREAM: Int32 { 1 }
public var SOCK_DGRAM: Int32 { 2 }
