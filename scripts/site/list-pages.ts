import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chapters, type PaperFolder } from './contents.ts';

/** A paper of the repository and the page that it becomes: both as paths, of the repository and of the site. */
export type SitePage = { readonly paper: string; readonly page: string; readonly title: string };

/** The page of a folder, with the pages that it lists. */
export type SiteFolder = SitePage & { readonly pages: readonly SitePage[] };

export type SiteChapter = { readonly title: string; readonly pages: readonly (SitePage | SiteFolder)[] };

/** `docs/` is what the site is: its papers stand at the top. */
export function nameOfPage(paper: string): string {
  if (paper === 'README.md') return 'index.md';
  const shown = paper.replace(/^docs\//, '').replace(/\/README\.md$/, '.md');
  return /^[A-Z]+\.md$/.test(shown) ? shown.toLowerCase() : shown;
}

/** The chapters of the site with their pages. `papers` are the files of the repository that end in `.md`, in order. */
export function listChapters(root: string, papers: readonly string[]): readonly SiteChapter[] {
  const pageOf = (paper: string): SitePage => ({ paper, page: nameOfPage(paper), title: titleOf(join(root, paper)) });
  const folderOf = ({ title, folder }: PaperFolder): SiteFolder => ({
    paper: folder,
    page: `${nameOfPage(folder)}/index.md`,
    title,
    pages: papers.filter((paper) => paper.startsWith(`${folder}/`)).map(pageOf),
  });
  return chapters.map(({ title, papers: asked }) => ({
    title,
    pages: asked.map((each) => (typeof each === 'string' ? pageOf(each) : folderOf(each))),
  }));
}

/** All pages of the chapters, those of folders and those in folders. */
export const listPages = (listed: readonly SiteChapter[]): readonly SitePage[] =>
  listed.flatMap(({ pages }) => pages.flatMap((page) => ('pages' in page ? [page, ...page.pages] : [page])));

function titleOf(file: string): string {
  const [, title] = /^# (.+)$/m.exec(readFileSync(file, 'utf8')) ?? [];
  if (title === undefined) throw new Error(`${file} has no heading`);
  return title.replaceAll('`', '');
}
