import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { byText } from '@nodewright/apis';
import { findDeadLinks } from './check-site.ts';
import { listChapters, listPages } from './list-pages.ts';
import { printAlias, printEntrance } from './print-entrance.ts';
import { stagePages } from './stage-pages.ts';
import { addVersion, latestOf, type SiteVersion } from './versions.ts';

export type SiteOptions = {
  readonly root: string;
  /** The folder of all versions: what lies there already stays, but for the version that is built. */
  readonly out: string;
  readonly version: string;
  /** Path on the server under which the folder is served: begins and ends with a slash. */
  readonly base: string;
  readonly sources: string;
  readonly builtAt: Date;
};

export type BuiltSite = { readonly folder: string; readonly pages: number; readonly latest: string };

/** Builds one version of the site. Throws, and says why, for links that lead nowhere. */
export function buildSite({ root, out, version, base, sources, builtAt }: SiteOptions): BuiltSite {
  if (!/^[\w.-]+$/.test(version) || version === 'latest') throw new Error(`"${version}" can be no folder of a version`);
  if (!/^\/(?:[\w.~-]+\/)*$/.test(base)) throw new Error(`the base "${base}" must begin and end with a slash`);
  const folder = join(out, version);
  const chapters = listChapters(root, listPapers(root));
  const plan = { version, outDir: folder, base: `${base}${version}/`, sources: sources.replace(/\/$/, ''), chapters };
  rmSync(folder, { recursive: true, force: true });
  stagePages(root, join(root, 'site/.pages'), plan);
  runGenerator(join(root, 'site'));
  const dead = findDeadLinks(folder, plan.base);
  if (dead.length > 0) throw new Error(`links of the site that lead nowhere:\n${dead.join('\n')}`);
  const versions = addVersion(readVersions(out), { version, built: builtAt.toISOString().slice(0, 10) });
  const latest = latestOf(versions) ?? version;
  writeFileSync(join(out, 'versions.json'), `${JSON.stringify({ latest, versions }, undefined, 2)}\n`);
  writeFileSync(join(out, 'index.html'), printEntrance(versions, latest));
  writeAliases(out, latest);
  return { folder, pages: listPages(chapters).length, latest };
}

/** The papers that are kept: not those of tools that lie in the same folders. */
export const listPapers = (root: string): readonly string[] =>
  execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)
    .toSorted(byText);

function runGenerator(site: string): void {
  const command = join(site, 'node_modules/vitepress/bin/vitepress.js');
  const run = spawnSync(process.execPath, [command, 'build', '.'], { cwd: site, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`the generator failed:\n${run.stdout}${run.stderr}`);
}

function readVersions(out: string): readonly SiteVersion[] {
  const file = join(out, 'versions.json');
  if (!existsSync(file)) return [];
  const { versions } = JSON.parse(readFileSync(file, 'utf8')) as { readonly versions: readonly SiteVersion[] };
  return versions.filter(({ version }) => existsSync(join(out, version, 'index.html')));
}

/** `latest/` has every page of the latest version, and is as small as links are. */
function writeAliases(out: string, latest: string): void {
  const alias = join(out, 'latest');
  rmSync(alias, { recursive: true, force: true });
  for (const file of readdirSync(join(out, latest), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.html')) continue;
    mkdirSync(dirname(join(alias, file)), { recursive: true });
    writeFileSync(join(alias, file), printAlias(file.replaceAll('\\', '/'), latest));
  }
}
