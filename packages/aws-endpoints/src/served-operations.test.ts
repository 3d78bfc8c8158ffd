import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { aTestAccount } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import type { ServedCalls } from './served-operations.ts';

const docs = new URL('../../../docs/', import.meta.url);
const lineWidth = 110;

test('the documentation lists every operation that is served', async () => {
  const served = await aTestAccount().aws.listOperations();
  await expect(writePage(served)).toMatchFileSnapshot(fileURLToPath(new URL('aws-served.md', docs)));
});

test('what the documentation calls missing is not served', async () => {
  const served = await aTestAccount().aws.listOperations();
  const all = new Set([...served].flatMap(([service, names]) => names.map((name) => `${service}:${name}`)));
  const missing = listMissing();
  expect(missing.length).toBeGreaterThan(0);
  expect(missing.filter((name) => all.has(name))).toEqual([]);
});

/** The operations that the section "Not there" names: `eks:CreateFargateProfile`. */
function listMissing(): readonly string[] {
  const [, section = ''] = readFileSync(new URL('embedded-eks.md', docs), 'utf8').split('\n## Not there\n');
  return [...section.matchAll(/`([a-z]+:[A-Z]\w+)`/g)].map(([, name = '']) => name);
}

const writePage = (served: ServedCalls): string =>
  `${[
    '# The AWS operations that the sandbox serves',
    'What is missing is answered as an operation that the service does not know, in the words of its protocol.',
    ...[...served].map(([service, names]) => `## ${service}\n\n${wrapNames(names)}`),
  ].join('\n\n')}\n`;

function wrapNames(names: readonly string[]): string {
  const lines: string[] = [];
  for (const name of names) {
    const last = lines.at(-1);
    if (last === undefined || last.length + name.length > lineWidth) lines.push(name);
    else lines[lines.length - 1] = `${last}, ${name}`;
  }
  return lines.join(',\n');
}
