import { existsSync, readFileSync } from 'node:fs';
import type { Identity } from './sandbox-home.ts';

/** The ports of a sandbox, as far as its `sandbox.json` can be read: it may be damaged, too. */
export function readPorts(file: string): readonly number[] {
  if (!existsSync(file)) return [];
  try {
    const { ports } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Identity>;
    return Object.values(ports ?? {}).filter((port) => port > 0);
  } catch {
    return [];
  }
}
