// The client's requests that have no answer yet, by id.

import type { IdKey } from "../wire/ids.ts";
import type { InFlight } from "./calls.ts";

/** Places for requests that need no more than a number; a power of two. */
const PLACES = 1024;

/**
 * A map from id to request. Clients number their requests and most of those are never looked into, so such a one stands in
 * a place by its id's last bits, where a hash table would be resized with every burst of requests. Whatever finds its place
 * taken, and all else, is in a map: no choice of ids makes it slow.
 */
export class InFlightRequests {
  readonly #map = new Map<IdKey, InFlight>();
  readonly #ids = new Int32Array(PLACES);
  /** The request in each place; positions begin at 1, so 0 is an empty place. */
  readonly #requests: number[] = new Array(PLACES).fill(0);
  #placed = 0;

  get size(): number {
    return this.#placed + this.#map.size;
  }

  get(key: IdKey): InFlight | undefined {
    if (this.#holds(key)) return this.#requests[key & (PLACES - 1)];
    return this.#map.size > 0 ? this.#map.get(key) : undefined;
  }

  has(key: IdKey): boolean {
    return this.#holds(key) || (this.#map.size > 0 && this.#map.has(key));
  }

  set(key: IdKey, request: InFlight): void {
    if (typeof request === "number" && typeof key === "number" && (key | 0) === key) {
      const place = key & (PLACES - 1);
      const known = this.#map.size > 0 && this.#map.has(key);
      if (!known && (this.#requests[place] === 0 || this.#ids[place] === key)) {
        if (this.#requests[place] === 0) this.#placed++;
        this.#ids[place] = key;
        this.#requests[place] = request;
        return;
      }
    } else if (this.#holds(key)) this.delete(key);
    this.#map.set(key, request);
  }

  delete(key: IdKey): void {
    if (this.#holds(key)) {
      this.#requests[key & (PLACES - 1)] = 0;
      this.#placed--;
    } else if (this.#map.size > 0) this.#map.delete(key);
  }

  /** Those that are looked into, and what found no place. */
  entries(): Iterable<[IdKey, InFlight]> {
    return this.#map;
  }

  #holds(key: IdKey): key is number {
    if (typeof key !== "number") return false;
    const place = key & (PLACES - 1);
    return this.#requests[place] !== 0 && this.#ids[place] === key;
  }
}
