// The site of one version. `npm run site` lays its pages and the plan (site.json) into ../.pages and runs the generator.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { followLink } from '../../scripts/site/follow-link.ts';
import { listPages } from '../../scripts/site/list-pages.ts';
import { slugOf } from '../../scripts/site/slug.ts';

const plan = JSON.parse(readFileSync(join(process.cwd(), '.pages/site.json'), 'utf8'));
const listed = listPages(plan.chapters);
const links = {
  pages: new Map(listed.map(({ paper, page }) => [paper, page])),
  papers: new Map(listed.filter((page) => !('pages' in page)).map(({ paper, page }) => [page, paper])),
  sources: plan.sources,
};

const addressOf = (page) => `/${page.replace(/(?:index)?\.md$/, '')}`;

const entryOf = (page) => ({
  text: page.title,
  link: addressOf(page.page),
  ...('pages' in page && { collapsed: true, items: page.pages.map(entryOf) }),
});

/** Links are written for the repository. Those to files that are no pages become text where the sources are not published. */
function followLinks(md) {
  md.core.ruler.push('follow-links', ({ tokens, env }) => {
    for (const { children } of tokens) {
      let isText = false;
      for (const token of children ?? []) {
        if (token.type === 'link_open') {
          const { kind, href } = followLink(token.attrGet('href'), env.relativePath, links);
          isText = kind === 'file';
          token.attrs = isText ? [['title', `in the repository: ${href}`]] : [['href', href]];
        }
        if (isText && token.type.startsWith('link_')) token.tag = 'span';
      }
    }
  });
}

/** Wide tables are scrolled by keyboard, too. */
function wrapTables(md) {
  md.renderer.rules.table_open = () => '<div class="table" tabindex="0" role="region" aria-label="table">\n<table>\n';
  md.renderer.rules.table_close = () => '</table>\n</div>\n';
}

/** Papers are plain Markdown: what looks like an element or like a template of Vue is text. */
function keepText(md) {
  md.set({ html: false });
  const { text } = md.renderer.rules;
  md.renderer.rules.text = (...given) => text(...given).replaceAll('{{', '&#123;&#123;');
}

export default defineConfig({
  title: 'Nodewright',
  description: 'A node lifecycle controller for Amazon EKS, with an embedded EKS to try it on.',
  lang: 'en',
  base: plan.base,
  srcDir: '.pages',
  outDir: plan.outDir,
  cleanUrls: false,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  metaChunk: true,
  markdown: {
    anchor: { slugify: slugOf },
    toc: { slugify: slugOf },
    config(md) {
      md.use(keepText);
      md.use(followLinks);
      md.use(wrapTables);
    },
  },
  themeConfig: {
    version: plan.version,
    outline: [2, 3],
    search: { provider: 'local', options: { detailedView: true } },
    sidebar: plan.chapters.map(({ title, pages }) => ({ text: title, items: pages.map(entryOf) })),
    docFooter: { prev: 'Before', next: 'Next' },
  },
});
