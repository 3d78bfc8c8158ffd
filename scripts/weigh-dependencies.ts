/**
 * Writes the weights in `docs/dependencies.md` anew from what is installed: the bytes of a package's files, with those of
 * the packages that would go with it. `npm run weights`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const page = join(root, 'docs/dependencies.md');

type Dependencies = Readonly<Record<string, string>>;

type LockedPackage = {
  readonly link?: boolean;
  readonly resolved?: string;
  readonly dependencies?: Dependencies;
  readonly devDependencies?: Dependencies;
  readonly optionalDependencies?: Dependencies;
  readonly peerDependencies?: Dependencies;
};

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

const total = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

/** The folder in which Node finds a package that is asked for from another folder. */
function findFolder(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const found = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[found] !== undefined && existsSync(join(root, found))) return found;
    if (folder === '') return undefined;
  }
}

const isOurs = (folder: string): boolean => folder === '' || !folder.includes('node_modules');

function neededBy(folder: string): readonly string[] {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = packages[folder] ?? {};
  const asked = { ...dependencies, ...optionalDependencies, ...peerDependencies };
  const names = Object.keys(isOurs(folder) ? { ...asked, ...devDependencies } : asked);
  return names.flatMap((name) => findFolder(folder, name) ?? []);
}

/** The folders of all packages that the repository needs, without those that only `left` needs. */
function listNeeded(left?: string): ReadonlySet<string> {
  const needed = new Set<string>();
  const open = Object.keys(packages).filter(isOurs);
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    if (folder === left || needed.has(folder)) continue;
    needed.add(folder);
    open.push(...neededBy(folder));
  }
  return needed;
}

function bytesIn(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => name !== 'node_modules');
  return total(
    entries.map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? bytesIn(path) : statSync(path).size;
    }),
  );
}

const installed = [...listNeeded()].filter((folder) => !isOurs(folder) && packages[folder]?.link !== true);
const bytesOf = new Map(installed.map((folder) => [folder, bytesIn(join(root, folder))]));
const asMegabytes = (bytes: number, digits = 1): string => (bytes / 1e6).toFixed(digits);

/** Undefined for a package that another lockfile installs. */
function weigh(name: string): number | undefined {
  const folder = findFolder('', name);
  if (folder === undefined) return undefined;
  const others = listNeeded(folder);
  return total(installed.filter((each) => !others.has(each)).map((each) => bytesOf.get(each) ?? 0));
}

const rows = readFileSync(page, 'utf8')
  .replace(/(A checkout installs )\d+( packages, )\d+( MB)/, (_whole, count: string, size: string, unit: string) =>
    [count, installed.length, size, asMegabytes(total([...bytesOf.values()]), 0), unit].join(''),
  )
  .replaceAll(/^(\| ([@a-z][^|]*?) +\| )[\d.]+ +/gm, (whole, start: string, names: string) => {
    const weights = names.split(', ').map(weigh);
    return weights.includes(undefined) ? whole : `${start}${asMegabytes(total(weights.map((each) => each ?? 0)))} `;
  });
writeFileSync(page, rows);
execFileSync(join(root, 'node_modules/.bin/oxfmt'), [page], { stdio: 'inherit' });
