import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { productSources, root, workshopSources } from './sources.ts';

/** Who or what is meant has a name: a client, a user, an instance, a reader. */
const unnamed = /\b(?:nobody|somebody|anybody)\b/i;

/** Where the word is a name itself. */
const names = /name: 'nobody'|nobody\|somebody\|anybody/;

const documents = readdirSync(join(root, 'docs'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
  .map((entry) => join(entry.parentPath, entry.name));

const papers = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'].map((name) => join(root, name));

test('comments, messages and documents name whom they mean', () => {
  const found = [...productSources(), ...workshopSources(), ...documents, ...papers].flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        unnamed.test(line) && !names.test(line) ? [`${relative(root, file)}:${index + 1}: ${line.trim()}`] : [],
      ),
  );
  expect(found).toEqual([]);
});
