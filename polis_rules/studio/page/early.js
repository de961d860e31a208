// What is clicked and typed before the page's connection stands is sent in its order once it does. The library lets each
// such event wait by itself until it may be sent, and of some they come out of order: of a text letters are lost by that.
// The connection itself keeps what it is given, so events are given to it as soon as there is one.
Object.defineProperty(window, "did_handshake", { get: () => window.socket !== undefined, set() {} });
