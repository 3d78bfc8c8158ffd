import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { byTextOf } from '@nodewright/apis';
import { parseAllDocuments } from 'yaml';

const passedOver: ReadonlySet<string> = new Set(['node_modules']);

/** The manifests below a folder, by name; what begins with a dot is left out. */
export function listManifestFiles(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).toSorted(byTextOf(({ name }) => name));
  return entries.flatMap((entry) => {
    if (entry.name.startsWith('.') || passedOver.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listManifestFiles(path);
    return /\.(ya?ml|json)$/.test(entry.name) ? [path] : [];
  });
}

/** As kustomize reads it; each list may be there or not. */
type Kustomization = {
  readonly patches?: readonly { readonly path?: unknown }[];
  readonly patchesJson6902?: readonly { readonly path?: unknown }[];
  readonly patchesStrategicMerge?: readonly unknown[];
};

/** Patches among files, each with the kustomization that applies it: parts of objects, not objects. */
export const listKustomizePatches = (files: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    files
      .filter((file) => /^kustomization\.ya?ml$/i.test(basename(file)))
      .flatMap((file) => patchPathsOf(file).map((path) => [resolve(dirname(file), path), file] as const)),
  );

function patchPathsOf(file: string): readonly string[] {
  const [document] = parseAllDocuments(readFileSync(file, 'utf8'), { logLevel: 'error' });
  if (document === undefined || 'empty' in document || document.errors.length > 0) return [];
  const { patches, patchesJson6902, patchesStrategicMerge } = (document.toJS() ?? {}) as Kustomization;
  const named = [patches, patchesJson6902]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .map((each) => each?.path);
  const whole = Array.isArray(patchesStrategicMerge) ? patchesStrategicMerge : [];
  // A patch that is written in the list itself has several lines.
  return [...named, ...whole].filter((path): path is string => typeof path === 'string' && !path.includes('\n'));
}
