import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const examples = join(import.meta.dirname, '../../examples/upgrade-nodes-with-drift');

/** A manifest of the drift walkthrough, for a cluster of that name. */
export const manifest = (name: string, clusterName = 'sandbox'): string =>
  readFileSync(join(examples, name), 'utf8').replaceAll(/\bsandbox\b/g, clusterName);
