import type { PageRequest } from '../../paging.ts';
import { eksBadToken, invalidParameter } from '../errors.ts';

type EksPageRequest = { readonly maxResults?: number | undefined; readonly nextToken?: string | undefined };

/** The page that a list call asks for. @throws AwsError when it asks for less than one or more than a hundred */
export function eksPage({ maxResults = 100, nextToken }: EksPageRequest): PageRequest {
  if (maxResults < 1 || maxResults > 100) {
    throw invalidParameter({}, `maxResults is ${maxResults}, must be from 1 to 100`);
  }
  return { size: maxResults, token: nextToken, refuse: eksBadToken };
}
