// What scripts/generate.mjs makes the manual page with; no command loads it.

export { loadPages } from "../pages.ts";
export { manualPage } from "./page.ts";
