import type { SiteVersion } from './versions.ts';

/** The first page of the whole site: which versions there are. It needs no script and no style of a version. */
export const printEntrance = (versions: readonly SiteVersion[], latest: string): string =>
  printPlainPage(
    'Nodewright: versions of the documentation',
    [
      '<h1>Nodewright</h1>',
      `<p><a href="${latest}/">Documentation of the latest version, ${latest}</a></p>`,
      '<h2>All versions</h2>',
      '<ul>',
      ...versions.map(({ version, built }) => `<li><a href="${version}/">${version}</a>, built ${built}</li>`),
      '</ul>',
    ].join('\n'),
  );

/** A page under `latest/`: it leads to the same page of the latest version, with the place in it. */
export function printAlias(page: string, latest: string): string {
  const up = '../'.repeat(page.split('/').length);
  const target = `${up}${latest}/${page}`;
  return printPlainPage(
    'Nodewright: the latest version',
    `<p>This page is in the <a href="${target}">latest version, ${latest}</a>.</p>`,
    `<meta http-equiv="refresh" content="1; url=${target}"><link rel="canonical" href="${target}">
<script>location.replace(${JSON.stringify(target)} + location.hash)</script>`,
  );
}

const printPlainPage = (title: string, body: string, head = ''): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>body { max-width: 40rem; margin: 4rem auto; padding: 0 1rem; font: 1rem/1.6 system-ui, sans-serif; }</style>
${head}
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
