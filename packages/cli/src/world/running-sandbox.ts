import type { Exported } from './exports.ts';

/** A sandbox that runs, and what clients need to reach it. */
export type RunningSandbox = { readonly exported: Exported; stop(): Promise<void> };
