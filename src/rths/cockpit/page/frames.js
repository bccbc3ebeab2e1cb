// Frames of a live test or a replay: a head in JSON, then float32 columns.

export function readFrame(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const count = head.count;
  const columns = [];
  const from = 4 + length;
  for (let k = 0; from + 4 * count * (k + 1) <= buffer.byteLength && count; k++) {
    columns.push(new Float32Array(buffer, from + 4 * count * k, count));
  }
  return { ...head, columns };
}

export function unpack(text) {
  const bytes = atob(text);
  const raw = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) raw[i] = bytes.charCodeAt(i);
  return new Float32Array(raw.buffer);
}
