import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { rewriteToV1, type KubernetesObject } from '@nodewright/apis';
import type { ManifestPath } from '@nodewright/lint';
import { ManifestError, parseManifests } from '@nodewright/runtime';
import { describeSkipped, listKustomizePatches, listManifestFiles } from '@nodewright/scenario-files';
import { isMap, isScalar, isSeq, LineCounter, parseAllDocuments, type Document, type Node } from 'yaml';
import { manifestTexts, type ManifestText } from '../convert/manifest-texts.ts';
import { InputError } from '../../terminal/exit-status.ts';

/** A place in a text; both count from 1. */
export type TextPlace = { readonly line: number; readonly column: number };

/** An object of a manifest, in the stored version of its kind, and where its fields are written. */
export type LocatedManifest = {
  readonly object: KubernetesObject;
  readonly source: string;
  /** The lines of the text, for remarks. */
  readonly lines: readonly string[];
  /** Places from the object's first line down to the field, as far as the field is written. */
  readonly placesOf: (path: ManifestPath) => readonly TextPlace[];
};

export type LocatedManifests = {
  readonly manifests: readonly LocatedManifest[];
  /** What was left out of folders, a line for each. */
  readonly remarks: readonly string[];
};

/**
 * The objects of files, folders with what is below them, or standard input (`-`). Of folders, templates, patches and files of
 * other tools are left out.
 * @throws InputError naming everything that cannot be read
 */
export function readLocatedManifests(paths: readonly string[]): LocatedManifests {
  const [problems, remarks]: [string[], string[]] = [[], []];
  const manifests = paths.flatMap(textsOfPath).flatMap(({ isOfFolder, ...text }) => {
    try {
      return locateManifests(text);
    } catch (error) {
      if (isOfFolder && error instanceof ManifestError && error.kind !== 'wrong')
        remarks.push(...describeSkipped(text.source, error));
      else problems.push(error instanceof Error ? error.message : String(error));
      return [];
    }
  });
  if (problems.length > 0) throw new InputError(problems.join('\n'));
  return { manifests, remarks };
}

/** @throws InputError when there is no such file, or nothing in the folder */
function textsOfPath(path: string): readonly (ManifestText & { readonly isOfFolder: boolean })[] {
  if (path === '-' || statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    return manifestTexts(path).map((text) => ({ ...text, isOfFolder: false }));
  const files = listManifestFiles(path);
  if (files.length === 0) throw new InputError(`${path}: there is no .yaml, .yml or .json file in this folder`);
  const patches = listKustomizePatches(files.map((file) => resolve(file)));
  return files
    .filter((file) => !patches.has(resolve(file)))
    .map((file) => ({ source: file, text: readFileSync(file, 'utf8'), isOfFolder: true }));
}

/**
 * @throws ManifestError for text that is no manifest
 * @throws InputError for manifests of older kinds that cannot be converted
 */
export function locateManifests({ source, text }: ManifestText): readonly LocatedManifest[] {
  parseManifests(text, source); // complains about whatever cannot be read
  const counter = new LineCounter();
  const documents = parseAllDocuments(text, {
    version: '1.1',
    lineCounter: counter,
    logLevel: 'error',
  }) as readonly Document[];
  const parts = documents.flatMap((document) =>
    takeObjects(document.contents).map((node) => ({ node, object: node.toJS(document) as KubernetesObject })),
  );
  const lines = text.split(/\r?\n/);
  const outcomes = rewriteToV1(parts.map(({ object }) => object));
  return parts.flatMap(({ node, object }, index) => {
    const outcome = outcomes[index];
    if (outcome === undefined) return [];
    if ('complaints' in outcome) throw new InputError(printComplaints(source, object, outcome.complaints));
    return [{ object: named(outcome.object), source, lines, placesOf: (path) => placesIn(node, path, counter) }];
  });
}

const named = (object: KubernetesObject): KubernetesObject => ({
  ...object,
  metadata: object.metadata ?? { name: '' },
});

const printComplaints = (
  source: string,
  { kind, metadata }: KubernetesObject,
  complaints: readonly { readonly field: string; readonly remedy: string }[],
): string =>
  complaints.map(({ field, remedy }) => `${source}: ${kind} ${metadata?.name ?? ''}: ${field} ${remedy}`).join('\n');

/** The object itself, or the items of a list. */
function takeObjects(node: Node | null): readonly Node[] {
  if (!isMap(node)) return [];
  const items = String(node.get('kind')).endsWith('List') ? node.get('items') : undefined;
  return isSeq(items) ? items.items.flatMap((item) => takeObjects(item as Node)) : [node];
}

function placesIn(root: Node, path: ManifestPath, counter: LineCounter): readonly TextPlace[] {
  const places = [placeOf(root, counter)];
  let node: unknown = root;
  for (const step of path) {
    const next = stepInto(node, step);
    if (next === undefined) break;
    places.push(placeOf(next.at, counter));
    node = next.value;
  }
  return places;
}

const placeOf = (node: Node, counter: LineCounter): TextPlace => {
  const { line, col } = counter.linePos(node.range?.[0] ?? 0);
  return { line, column: col };
};

function stepInto(node: unknown, step: string | number): { readonly at: Node; readonly value: unknown } | undefined {
  if (isSeq(node) && typeof step === 'number') {
    const item = node.items[step];
    return item === undefined ? undefined : { at: item as Node, value: item };
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find(({ key }) => isScalar(key) && key.value === step);
  return pair === undefined ? undefined : { at: pair.key as Node, value: pair.value };
}
