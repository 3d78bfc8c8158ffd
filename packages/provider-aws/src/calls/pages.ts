type PageOfResults = { readonly NextToken?: string | undefined };

/** All pages of a listing, in order. */
export async function readAllPages<P extends PageOfResults>(
  fetch: (nextToken: string | undefined) => Promise<P>,
): Promise<readonly P[]> {
  const pages: P[] = [];
  let token: string | undefined;
  do {
    const page: P = await fetch(token);
    pages.push(page);
    token = page.NextToken === '' ? undefined : page.NextToken;
  } while (token !== undefined);
  return pages;
}
