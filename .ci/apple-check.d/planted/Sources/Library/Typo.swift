#if AUTH_DARWIN
    import Darwin

    let flag: Int32 = O_EVTONYL  // found: all
    let text: Int32 = "text"  // found: all
#else
    let flag: Int32 = 0
#endif
