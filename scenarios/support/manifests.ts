import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const examples = join(import.meta.dirname, '../../examples/upgrade-nodes-with-drift');

/** A manifest of the drift walkthrough, with the cluster's name filled in as the shell would. */
export const manifest = (name: string, clusterName = 'sandbox'): string =>
  readFileSync(join(examples, name), 'utf8').replaceAll('$CLUSTER_NAME', clusterName);
