import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { KubernetesObject } from '@nodewright/apis';
import { parseAllDocuments } from 'yaml';

const example = join('examples', 'upgrade-nodes-with-drift');

/** The text of one manifest of the walkthrough. It names the cluster `sandbox`, which every sandbox is called by default. */
export const manifestText = (name: string): string =>
  readFileSync(join(checkout(import.meta.dirname), example, name), 'utf8');

/** The objects of a manifest, read as kubectl reads them: YAML 1.1. */
export function objectsOf(text: string): readonly KubernetesObject[] {
  return parseAllDocuments(text, { version: '1.1' })
    .map((document) => document.toJS() as KubernetesObject | null)
    .filter((object) => object !== null);
}

/** The folder above this file that holds the examples; the same for the bundle and for the sources. */
function checkout(folder: string): string {
  if (existsSync(join(folder, example))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error(`no folder ${example} above ${import.meta.dirname}; run from a checkout`);
  return checkout(parent);
}
