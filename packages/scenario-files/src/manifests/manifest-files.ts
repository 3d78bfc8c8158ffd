import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type KubernetesObject, yamlComplaint } from '@nodewright/apis';
import { ManifestError, parseManifests } from '@nodewright/runtime';
import type { GivenPath } from '../reading/scenario-file.ts';
import { type FileProblem, ScenarioFileError } from '../reading/source-text.ts';

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
    const parts = files.map((file) => parseOrSkip(shortPath(file), readFileSync(file, 'utf8'), source));
    return { objects: parts.flatMap(({ objects }) => objects), remarks: parts.flatMap(({ remarks }) => remarks) };
  } catch (error) {
    if (error instanceof ManifestError) return refuse(error.message);
    const { code, message } = error as NodeJS.ErrnoException;
    return refuse(code === 'ENOENT' ? `${path}: there is no such file or folder` : `${path}: ${message}`);
  }
}

const shortPath = (path: string): string => {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') || short === '' ? path : short;
};

const passedOver: ReadonlySet<string> = new Set(['node_modules']);

/** The manifests below a folder, by name; what begins with a dot is left out. */
export function listManifestFiles(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).toSorted((a, b) =>
    a.name < b.name ? -1 : Number(a.name > b.name),
  );
  return entries.flatMap((entry) => {
    if (entry.name.startsWith('.') || passedOver.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listManifestFiles(path);
    return /\.(ya?ml|json)$/.test(entry.name) ? [path] : [];
  });
}

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
  if (/\{\{.*\}\}/.test(text))
    return {
      objects: [],
      remarks: [`${file} is a template and is left out; render it with helm template, and give it as -`],
    };
  try {
    return parseOrRefuse(file, text, source);
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    const isNoObject = error.problems.every((problem) =>
      /an object with apiVersion and kind|(apiVersion|kind) is missing/.test(problem),
    );
    if (!isNoObject) throw error;
    return { objects: [], remarks: [`${file} has no apiVersion and kind, and is left out`] };
  }
}

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
  const filled = text.replaceAll(/\$\{([A-Z][A-Z0-9_]*)\}/g, (whole, name: string) => {
    const value = values.get(name) ?? '';
    if (value === '') open.add(name);
    return value === '' ? whole : value;
  });
  const remarks = [...open].map((name) => `${file}: the variable \${${name}} has no value here and stays as it is`);
  return { text: filled, remarks };
}
