// A WebSocket that comes back by itself, and says whether it is there.

const FIRST = 250, LONGEST = 4000;

export class Connection {
  constructor(path, take, tell = () => {}) {
    this.path = path;
    this.take = take;
    this.tell = tell;
    this.pause = FIRST;
    this.closed = false;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}${this.path}`);
    this.socket.binaryType = "arraybuffer";
    this.socket.onopen = () => { this.pause = FIRST; this.tell(true); };
    this.socket.onmessage = (event) => this.take(event.data);
    this.socket.onclose = () => {
      if (this.closed) return;
      this.tell(false);
      setTimeout(() => this.open(), this.pause);
      this.pause = Math.min(2 * this.pause, LONGEST);
    };
  }

  get isOpen() { return this.socket.readyState === WebSocket.OPEN; }

  send(message) {
    if (!this.isOpen) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close() {
    this.closed = true;
    this.socket.close();
  }
}
