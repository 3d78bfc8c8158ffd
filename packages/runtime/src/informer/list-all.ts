import type { KubernetesObject, ObjectList, ResourceType } from '@nodewright/apis';
import { ApiError, type KubernetesClient, type ListOptions } from '../kubernetes-client.ts';

export type ListSelection = {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Objects per request of a list [500]. */
  readonly pageSize?: number;
};

export type WholeList<T> = { readonly items: readonly T[]; readonly revision: string };

/**
 * All pages of a list: a hundred thousand pods in one answer are more text than fits into a string. When the server
 * forgets the revision between two pages, everything is asked for at once.
 */
export async function listAll<T extends KubernetesObject>(
  client: KubernetesClient,
  type: ResourceType<T>,
  { pageSize = 500, ...filter }: ListSelection = {},
): Promise<WholeList<T>> {
  const selection = filterOf(filter);
  try {
    return await listAllPages((page) => client.list(type, { ...selection, limit: pageSize, ...page }));
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 410) throw error;
    return listAllPages(() => client.list(type, selection));
  }
}

/** Only the part of some options that chooses objects. */
export const filterOf = ({ namespace, labelSelector, fieldSelector }: ListSelection): ListOptions => ({
  ...(namespace !== undefined && { namespace }),
  ...(labelSelector !== undefined && { labelSelector }),
  ...(fieldSelector !== undefined && { fieldSelector }),
});

async function listAllPages<T>(
  fetch: (page: { readonly continue?: string }) => Promise<ObjectList<T>>,
): Promise<WholeList<T>> {
  const pages = [await fetch({})];
  for (let next = nextPage(pages); next !== undefined; next = nextPage(pages)) pages.push(await fetch(next));
  return { items: pages.flatMap(({ items }) => items), revision: pages.at(-1)?.metadata.resourceVersion ?? '' };
}

function nextPage(pages: readonly ObjectList<unknown>[]): { readonly continue: string } | undefined {
  const token = pages.at(-1)?.metadata.continue;
  return token === undefined || token === '' ? undefined : { continue: token };
}
