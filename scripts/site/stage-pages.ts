import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listPages, type SiteChapter, type SiteFolder } from './list-pages.ts';

/** What the configuration of the generator reads: see `site/.vitepress/config.mjs`. */
export type SitePlan = {
  readonly version: string;
  readonly outDir: string;
  /** Path of this version on its server: begins and ends with a slash. */
  readonly base: string;
  /** Where files of the repository can be read that are no pages; empty if nowhere. */
  readonly sources: string;
  readonly chapters: readonly SiteChapter[];
};

/** Lays the pages where the generator looks for them, in a folder that has nothing else. */
export function stagePages(root: string, stage: string, plan: SitePlan): void {
  rmSync(stage, { recursive: true, force: true });
  for (const page of listPages(plan.chapters)) {
    const file = join(stage, page.page);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'pages' in page ? printFolder(page as SiteFolder) : readPaper(join(root, page.paper)));
  }
  writeFileSync(join(stage, 'site.json'), JSON.stringify(plan));
}

/** Comments are for those who write the paper. */
const readPaper = (file: string): string => readFileSync(file, 'utf8').replaceAll(/^<!--.*?-->\n/gms, '');

const printFolder = ({ title, pages, page }: SiteFolder): string =>
  [`# ${title}`, '', ...pages.map((each) => `- [${each.title}](${wayTo(each.page, page)})`), ''].join('\n');

/** A page of a folder lies beside the page of the folder. */
const wayTo = (page: string, folder: string): string => `./${page.slice(dirname(folder).length + 1)}`;
