// Lines in, figures out: of a period, and of the one before it where both are asked for.

import { changes } from "../../core/summary/change.ts";
import type { Read } from "../../core/summary/document.ts";
import { FiguresBuilder } from "../../core/summary/figures.ts";
import { ALWAYS, before, type Period, within } from "../../core/summary/period.ts";
import { type LoggedOutcome, readRecordLine } from "../../core/summary/record-line.ts";

export interface CollectOptions {
  readonly period: Period;
  readonly compare: boolean;
}

export class Collector {
  readonly #options: CollectOptions;
  readonly #now = new FiguresBuilder();
  readonly #before = new FiguresBuilder();
  readonly #earlier: Period;
  #skipped = 0;
  #outside = 0;

  constructor(options: CollectOptions) {
    this.#options = options;
    this.#earlier = options.compare ? before(options.period) : ALWAYS;
  }

  /** Takes a line, undefined for one that cannot be a record. Gives the record if it is one of the period. */
  line(line: string | undefined): LoggedOutcome | undefined {
    const record = line === undefined ? undefined : readRecordLine(line);
    if (record === "blank") return undefined;
    if (record === undefined) {
      this.#skipped++;
      return undefined;
    }
    if (within(this.#options.period, record.timeMs)) {
      this.#now.add(record);
      return record;
    }
    if (this.#options.compare && within(this.#earlier, record.timeMs)) this.#before.add(record);
    else this.#outside++;
    return undefined;
  }

  result(): Read {
    const figures = this.#now.result();
    return {
      figures,
      skippedLines: this.#skipped,
      outsidePeriod: this.#outside,
      period: this.#options.period,
      changes: this.#options.compare ? changes(this.#before.result(), figures) : undefined,
    };
  }
}
