import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package whose code is in the bundle, as package-lock.json has it. */
export type BundledPackage = {
  /** Its folder as package-lock.json names it: `node_modules/yaml`. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** The digest of what the registry serves: `sha512-BASE64`. */
  readonly integrity: string;
  /** The folders of the packages in the bundle that it needs itself. */
  readonly needs: readonly string[];
  /** Whether a package of this repository names it. */
  readonly isDirect: boolean;
};

type Locked = {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
};

type Lockfile = { readonly packages: Readonly<Record<string, Locked>> };

const readDocument = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

/** The name in a folder: what follows the last `node_modules/`. */
const nameIn = (folder: string): string => folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** The folder that a package finds another one in: its own, or that of a folder around it. */
function resolveFrom(folder: string, name: string, folders: ReadonlySet<string>): string | undefined {
  const own = `${folder}/node_modules/${name}`;
  if (folders.has(own)) return own;
  const at = folder.lastIndexOf('/node_modules/');
  if (at !== -1) return resolveFrom(folder.slice(0, at), name, folders);
  return folders.has(`node_modules/${name}`) ? `node_modules/${name}` : undefined;
}

/** The folders of the packages that the packages of this repository name. */
const listDirect = ({ packages }: Lockfile): ReadonlySet<string> =>
  new Set(
    Object.entries(packages)
      .filter(([folder]) => !folder.includes('node_modules/'))
      .flatMap(([, { dependencies }]) => Object.keys(dependencies ?? {}))
      .map((name) => `node_modules/${name}`),
  );

/**
 * The packages in folders of a lockfile, in the order of their folders.
 * @throws Error for a folder that the lockfile lacks
 */
export function describePackages(folders: readonly string[], lockfile: Lockfile): readonly BundledPackage[] {
  const present = new Set(folders);
  const direct = listDirect(lockfile);
  return [...present].toSorted().map((folder) => {
    const locked = lockfile.packages[folder];
    if (locked === undefined) throw new Error(`package-lock.json lacks ${folder}, which is in the bundle: run npm ci`);
    const needs = Object.keys(locked.dependencies ?? {}).flatMap((name) => resolveFrom(folder, name, present) ?? []);
    return {
      folder,
      name: nameIn(folder),
      version: locked.version ?? '',
      license: locked.license ?? '',
      integrity: locked.integrity ?? '',
      needs: needs.toSorted(),
      isDirect: direct.has(folder),
    };
  });
}

/** The packages that the build put into the bundle of the command and of its page. */
export function readBundledPackages(root: string): readonly BundledPackage[] {
  const lists = ['packages/cli/dist', 'packages/cli/dist/page'].map(
    (folder) => readDocument(join(root, folder, 'bundled-packages.json')) as readonly string[],
  );
  return describePackages(lists.flat(), readDocument(join(root, 'package-lock.json')) as Lockfile);
}

/** Names, versions and licences of packages, with the texts that they come with. */
export function printLicenses(packages: readonly BundledPackage[], root: string): string {
  const texts = packages.map(({ folder, name, version, license }) => {
    const files = readdirSync(join(root, folder)).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
    const contents = files.toSorted().map((file) => readFileSync(join(root, folder, file), 'utf8').trim());
    return [`${name} ${version} (${license})`, ...contents].join('\n\n');
  });
  return `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
