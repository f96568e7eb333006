// How much memory short-lived objects may take before they are collected.

import { setFlagsFromString } from "node:v8";

/**
 * Keeps the heap's young generation at the size it starts with (1 MiB a half on 64-bit machines). It would grow to
 * 48 MiB under any longer load, for a program that keeps next to nothing: many guards run on one machine.
 */
export function keepYoungGenerationSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}
