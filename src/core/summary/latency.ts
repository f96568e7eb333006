// How long clients waited for us: every value counted, so that percentiles of any number of records take the same memory.

export interface Latency {
  readonly samples: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly p99_ms: number;
  readonly max_ms: number;
}

/** Values below this are counted one by one; above, to three digits, rounded down. A guard holds an answer for two seconds at most. */
const EXACT_BELOW = 65_536;

export class LatencyCounts {
  readonly #exact = new Map<number, number>();
  #samples = 0;
  #max = 0;

  /** Takes whole milliseconds, 0 or more. */
  add(ms: number): void {
    const key = ms < EXACT_BELOW ? ms : rounded(ms);
    this.#exact.set(key, (this.#exact.get(key) ?? 0) + 1);
    this.#samples++;
    if (ms > this.#max) this.#max = ms;
  }

  /** Percentiles by nearest rank; null without a sample. */
  result(): Latency | null {
    if (this.#samples === 0) return null;
    const sorted = this.counts();
    const at = (share: number): number => {
      let left = Math.ceil(share * this.#samples);
      for (const [ms, count] of sorted) {
        left -= count;
        if (left <= 0) return ms;
      }
      return this.#max;
    };
    return { samples: this.#samples, p50_ms: at(0.5), p95_ms: at(0.95), p99_ms: at(0.99), max_ms: this.#max };
  }

  /** Each value with how often it came, the smallest first. */
  counts(): readonly (readonly [ms: number, count: number])[] {
    return [...this.#exact].sort(([a], [b]) => a - b);
  }
}

function rounded(ms: number): number {
  const unit = 10 ** (Math.floor(Math.log10(ms)) - 2);
  return Math.floor(ms / unit) * unit;
}
