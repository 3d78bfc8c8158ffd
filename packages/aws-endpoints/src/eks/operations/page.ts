import type { PageRequest } from '../../paging.ts';
import { eksBadToken } from '../errors.ts';

type EksPageRequest = { readonly maxResults?: number | undefined; readonly nextToken?: string | undefined };

/** Returns the page that a list call asks for: a hundred items unless it says otherwise. */
export const eksPage = ({ maxResults = 100, nextToken }: EksPageRequest): PageRequest => ({
  size: maxResults,
  token: nextToken,
  refuse: eksBadToken,
});
