// The last samples of several columns in arrays that never grow: they lie in order, in twice the room.

export class Rolling {
  constructor(most, columns) {
    this.most = Math.max(1, most);
    this.columns = Array.from({ length: columns }, () => new Float64Array(2 * this.most));
    this.end = 0;
  }

  get length() { return Math.min(this.end, this.most); }

  add(values, count) {
    const from = Math.max(0, count - this.most);
    const taken = count - from;
    if (this.end + taken > 2 * this.most) {
      const keep = this.length;
      for (const column of this.columns) column.copyWithin(0, this.end - keep, this.end);
      this.end = keep;
    }
    this.columns.forEach((column, k) => {
      const given = values[k];
      for (let i = 0; i < taken; i++) column[this.end + i] = given[from + i];
    });
    this.end += taken;
  }

  last(column, count) {
    const taken = Math.min(count, this.length);
    return this.columns[column].subarray(this.end - taken, this.end);
  }
}
