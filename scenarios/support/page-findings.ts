import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserPage } from './browser.ts';

const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** What keeps a reader from using the page as it is shown now, by the rules of axe: WCAG A and AA, and what is good practice. */
export async function listFindings(page: BrowserPage): Promise<readonly string[]> {
  if ((await page.evaluate('globalThis.axe === undefined')) === true) await page.evaluate(axe);
  return (await page.evaluate(findings)) as readonly string[];
}

const findings = `axe.run().then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)))`;
