import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildSite } from '../scripts/site/build-site.ts';
import { type BrowserPage, findChromium, startBrowser } from './support/browser.ts';

const root = join(import.meta.dirname, '..');
const chromium = findChromium();
const hasGenerator = existsSync(join(root, 'site/node_modules/vitepress'));

if (!hasGenerator) {
  test('the documentation site', (context) => context.skip('needs the generator: npm ci, in the folder site'));
} else if (chromium === undefined) {
  test('the documentation site', (context) => context.skip('needs chromium on the PATH'));
}

const kinds: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  json: 'application/json',
};

/** A plain server of files, under a path of its own. */
function serveFolder(folder: string, base: string, asked: string[], missed: string[]): Server {
  return createServer(({ url = '' }, response) => {
    asked.push(url);
    const path = decodeURIComponent(url.split('?')[0] ?? '');
    const named = join(folder, path.slice(base.length));
    const file = existsSync(named) && statSync(named).isDirectory() ? join(named, 'index.html') : named;
    if (!path.startsWith(base) || !existsSync(file)) {
      missed.push(url);
      return void response.writeHead(404).end();
    }
    response.writeHead(200, { 'content-type': kinds[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream' });
    response.end(readFileSync(file));
  });
}

/** A version from before, however it was built. It has fewer pages. */
function writeOldVersion(out: string, version: string): void {
  mkdirSync(join(out, version));
  for (const page of ['index', 'rollouts'])
    writeFileSync(
      join(out, version, `${page}.html`),
      `<!doctype html><link rel="icon" href="data:,"><h1>${page} of old</h1>`,
    );
  const versions = [{ version, built: '1969-12-31' }];
  writeFileSync(join(out, 'versions.json'), JSON.stringify({ latest: version, versions }));
}

describe.runIf(hasGenerator && chromium !== undefined)(
  'the documentation site, under a path of a server of files',
  () => {
    const out = mkdtempSync(join(tmpdir(), 'nodewright-site-'));
    const asked: string[] = [];
    const missed: string[] = [];
    let server: Server;
    let browser: BrowserPage;
    let address: string;

    beforeAll(async () => {
      writeOldVersion(out, '1.0.0');
      const build = { root, out, version: '1.2.3', base: '/docs/nodewright/', sources: '', builtAt: new Date(0) };
      expect(buildSite(build)).toMatchObject({ latest: '1.2.3' });
      server = serveFolder(out, '/docs/nodewright/', asked, missed);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs/nodewright/`;
      browser = await startBrowser(chromium ?? '');
      await browser.look({ width: 1280, height: 900, isDark: false });
    });

    afterAll(async () => {
      await browser.close();
      server.closeAllConnections();
      server.close();
      rmSync(out, { recursive: true });
    });

    test('the list of versions leads to the latest one, whose pages have an alias', async () => {
      await browser.visit(address);
      await browser.click('Documentation of the latest version, 1.2.3');
      await browser.until(`document.querySelector('.version-switch option')?.textContent === '1.2.3'`);
      await browser.visit(`${address}latest/rollouts.html#pause`);
      await browser.until(`location.href === ${JSON.stringify(`${address}1.2.3/rollouts.html#pause`)}`);
      await browser.until(`document.querySelector('#pause') !== null`);
    });

    test('the switch leads to the same page of another version, or to its first where there is none such', async () => {
      const choose = (version: string) =>
        browser.evaluate(`{
        const list = document.querySelector('.version-switch select');
        list.value = ${JSON.stringify(version)};
        list.dispatchEvent(new Event('change'));
      }`);
      for (const [page, there] of [
        ['rollouts.html', 'rollouts.html'],
        ['forecast.html', ''],
      ] as const) {
        await browser.visit(`${address}1.2.3/${page}`);
        await browser.until(`document.querySelector('.version-switch select')?.length === 2`);
        await choose('1.0.0');
        await browser.until(`location.href === ${JSON.stringify(`${address}1.0.0/${there}`)}`);
        await browser.until(`document.querySelector('h1')?.innerText.endsWith('of old')`);
      }
    });

    test('search is opened, used and followed with the keyboard alone', async () => {
      await browser.visit(`${address}1.2.3/`);
      await browser.until(`document.querySelector('.VPNavBarSearch button') !== null`);
      await browser.press('/');
      await browser.until(`document.activeElement?.id === 'localsearch-input'`);
      await browser.write('native AMI versioning');
      await browser.until(
        `document.querySelector('.VPLocalSearchBox .result.selected')?.innerText.includes('Native AMI versioning')`,
      );
      await browser.press('Enter');
      await browser.until(`location.pathname.endsWith('/walkthroughs/native-ami-versioning.html')`);
      await browser.until(`document.querySelector('h1')?.innerText.startsWith('Native AMI versioning')`);
    });

    test('a page is no wider than a telephone', async () => {
      await browser.look({ width: 360, height: 740, isDark: true });
      for (const page of ['metrics', 'commands', 'dependencies', 'real-clusters', 'ui', 'changelog']) {
        await browser.visit(`${address}1.2.3/${page}.html`);
        expect([page, await browser.evaluate('document.documentElement.scrollWidth')]).toEqual([page, 360]);
      }
    });

    test('nothing was asked for that is not there, or of another server', () => {
      // Whether an old version has a page is found out by asking: once, it had not.
      expect(browser.complaints).toEqual([expect.stringContaining('404')]);
      expect(missed).toEqual(['/docs/nodewright/1.0.0/forecast.html']);
      expect(asked.filter((url) => !url.startsWith('/docs/nodewright/'))).toEqual([]);
    });
  },
);
