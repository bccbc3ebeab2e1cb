// A WebSocket that comes back by itself, and says whether it is there.

const FIRST = 250, LONGEST = 4000, LOOK = 500;

export class Connection {
  // silent: ms without a message after which nobody is at the other end, where messages come all the time
  constructor(path, take, tell = () => {}, silent = Infinity) {
    this.path = path;
    this.take = take;
    this.tell = tell;
    this.silent = silent;
    this.pause = FIRST;
    this.closed = false;
    this.open();
    if (Number.isFinite(silent)) setInterval(() => this.listen(), LOOK);
  }

  open() {
    if (this.closed) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}${this.path}`);
    this.socket.binaryType = "arraybuffer";
    this.socket.onopen = () => { this.pause = FIRST; this.heard = performance.now(); this.tell(true); };
    this.socket.onmessage = (event) => { this.heard = performance.now(); this.take(event.data); };
    this.socket.onclose = () => this.lose();
  }

  lose() {
    if (this.closed) return;
    this.tell(false);
    setTimeout(() => this.open(), this.pause);
    this.pause = Math.min(2 * this.pause, LONGEST);
  }

  // A machine that has left the network, or hangs, closes nothing: what is sent to it is not heard.
  listen() {
    if (!this.isOpen || performance.now() - this.heard < this.silent) return;
    const gone = this.socket;
    gone.onclose = gone.onmessage = null;
    gone.close();
    this.lose();
  }

  get isOpen() { return this.socket.readyState === WebSocket.OPEN; }

  send(message) {
    if (!this.isOpen) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close() {
    this.closed = true;
    this.socket.onmessage = null;
    this.socket.close();
  }
}
