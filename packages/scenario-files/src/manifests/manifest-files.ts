import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { type KubernetesObject, yamlComplaint } from '@nodewright/apis';
import { ManifestError, parseManifests } from '@nodewright/runtime';
import type { GivenPath } from '../reading/scenario-file.ts';
import { type FileProblem, ScenarioFileError } from '../reading/source-text.ts';
import { listKustomizePatches, listManifestFiles } from './manifest-folder.ts';

/** An object of a manifest, and the file that it comes from. */
export type GivenObject = { readonly object: KubernetesObject; readonly file: string };

export type GivenFiles = {
  readonly objects: readonly GivenObject[];
  /** What was left out, a line for each. */
  readonly remarks: readonly string[];
};

export type ManifestSource = {
  /** The file that names the paths. */
  readonly from: string;
  /** What `-` stands for. */
  readonly standardInput: () => string;
  readonly clusterName: string;
};

/**
 * The objects of files, folders with what is below them, and standard input.
 * @throws ScenarioFileError for what cannot be read
 */
export function readManifestFiles(paths: readonly GivenPath[], source: ManifestSource): GivenFiles {
  const problems: FileProblem[] = [];
  const found = paths.map((path) => readGivenPath(path, source, problems));
  if (problems.length > 0) throw new ScenarioFileError(problems);
  return { objects: found.flatMap(({ objects }) => objects), remarks: found.flatMap(({ remarks }) => remarks) };
}

const noFiles: GivenFiles = { objects: [], remarks: [] };

function readGivenPath({ path, place }: GivenPath, source: ManifestSource, problems: FileProblem[]): GivenFiles {
  const refuse = (message: string): GivenFiles => {
    problems.push({ place, message });
    return noFiles;
  };
  try {
    if (path === '-') return parseOrRefuse('standard input', source.standardInput(), source);
    const whole = resolve(dirname(source.from), path);
    if (!statSync(whole).isDirectory()) return parseOrRefuse(shortPath(whole), readFileSync(whole, 'utf8'), source);
    const files = listManifestFiles(whole);
    if (files.length === 0) return refuse(`${path}: no .yaml, .yml or .json file is in this folder`);
    return readFolderFiles(files, source);
  } catch (error) {
    if (error instanceof ManifestError) return refuse(error.message);
    const { code, message } = error as NodeJS.ErrnoException;
    return refuse(code === 'ENOENT' ? `${path}: there is no such file or folder` : `${path}: ${message}`);
  }
}

function readFolderFiles(files: readonly string[], source: ManifestSource): GivenFiles {
  const patches = listKustomizePatches(files);
  const parts = files.map((file) => {
    const kustomization = patches.get(file);
    return kustomization === undefined
      ? parseOrSkip(shortPath(file), readFileSync(file, 'utf8'), source)
      : { objects: [], remarks: [describePatch(shortPath(file), shortPath(kustomization))] };
  });
  return { objects: parts.flatMap(({ objects }) => objects), remarks: parts.flatMap(({ remarks }) => remarks) };
}

const describePatch = (file: string, kustomization: string): string =>
  `${file} is a patch of ${kustomization} and is left out; give what kubectl kustomize ${dirname(kustomization)} prints as - to play with it`;

const shortPath = (path: string): string => {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') || short === '' ? path : short;
};

/** A file that is named has to be a manifest. */
function parseOrRefuse(file: string, text: string, source: ManifestSource): GivenFiles {
  const { text: filled, remarks } = fillPlaceholders(file, text, source.clusterName);
  const complaint = yamlComplaint(filled);
  if (complaint !== undefined) throw new ManifestError(file, [complaint]);
  const objects = parseManifests(filled, file).filter(({ kind }) => kind !== 'Scenario');
  return { objects: objects.map((object) => ({ object, file })), remarks };
}

/** A folder holds other files, too: values of charts, templates, configuration of tools. */
function parseOrSkip(file: string, text: string, source: ManifestSource): GivenFiles {
  try {
    return parseOrRefuse(file, text, source);
  } catch (error) {
    if (!(error instanceof ManifestError) || error.kind === 'wrong') throw error;
    return { objects: [], remarks: describeSkipped(file, error) };
  }
}

/** Files of tools, which are not taken for manifests: `package.json`, `tsconfig.json`, JSON schemas. */
const isKnownNoManifest = (file: string): boolean =>
  /^(?:package|package-lock|tsconfig(?:\..+)?|.+\.schema)\.json$/.test(basename(file));

/** What is said of a file of a folder that holds no manifests: a line, or nothing for a file of a tool. */
export function describeSkipped(file: string, { kind }: Pick<ManifestError, 'kind'>): readonly string[] {
  if (kind === 'template')
    return [`${file} is a template and is left out; render it with helm template, and give it as -`];
  return isKnownNoManifest(file) ? [] : [`${file} has no apiVersion and kind, and is left out`];
}

/** A line of YAML with a value, not a line of a script in it. */
const valueLine = /^\s*(?:-\s+)?(?:["']?[\w./-]+["']?\s*:\s|["']?\$\{)/;

/** Variables of shell scripts that guides have in their manifests. */
function fillPlaceholders(
  file: string,
  text: string,
  clusterName: string,
): { readonly text: string; readonly remarks: readonly string[] } {
  const values = new Map([
    ['CLUSTER_NAME', clusterName],
    ['ALIAS_VERSION', 'latest'],
    ['K8S_VERSION', ''],
  ]);
  const open = new Set<string>();
  // As shells, envsubst and Flux write them: with a default for what has no value, or without. Scripts keep their own.
  const fillLine = (line: string): string =>
    line.replaceAll(/\$\{([A-Za-z_]\w*)(?::?[-=]([^}]*))?\}/g, (whole, name: string, other?: string) => {
      const isOfManifest = valueLine.test(line);
      const value = values.get(name.toUpperCase()) ?? (isOfManifest ? other : undefined) ?? '';
      if (value === '' && isOfManifest) open.add(name);
      return value === '' ? whole : value;
    });
  const filled = text.split('\n').map(fillLine).join('\n');
  const remarks = [...open].map((name) => `${file}: the variable \${${name}} has no value here and stays as it is`);
  return { text: filled, remarks };
}
