import { posix } from 'node:path';

/**
 * Where a link of a page leads on the site.
 * - `page`: to another page or to a place in one
 * - `elsewhere`: to an address of its own, or to a file where the sources are published
 * - `file`: to a file of the repository, whose address is not known
 */
export type FollowedLink = { readonly kind: 'page' | 'elsewhere' | 'file'; readonly href: string };

export type SiteLinks = {
  /** Pages by the papers that they are made of. */
  readonly pages: ReadonlyMap<string, string>;
  /** Papers by their pages: the other way round. */
  readonly papers: ReadonlyMap<string, string>;
  /** Where the files of the repository can be read, such as `https://example.com/nodewright/tree/v1`; none if empty. */
  readonly sources: string;
};

/** Follows a link as it is written in the paper of a page. */
export function followLink(href: string, page: string, { pages, papers, sources }: SiteLinks): FollowedLink {
  if (/^[a-z]+:/.test(href)) return { kind: 'elsewhere', href };
  if (href.startsWith('#')) return { kind: 'page', href };
  const paper = papers.get(page);
  if (paper === undefined) return { kind: 'page', href };
  const [path = '', fragment] = href.split('#');
  const target = posix.normalize(posix.join(posix.dirname(paper), path)).replace(/\/$/, '');
  const found = pages.get(target);
  if (found === undefined) {
    return sources === '' ? { kind: 'file', href: target } : { kind: 'elsewhere', href: `${sources}/${target}` };
  }
  const way = posix.relative(posix.dirname(page), found);
  const relative = way.startsWith('.') ? way : `./${way}`;
  return { kind: 'page', href: fragment === undefined ? relative : `${relative}#${fragment}` };
}
