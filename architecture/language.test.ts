import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { productSources, root, workshopSources } from './sources.ts';

/** Pronouns that hide who is meant: write a client, a user, an instance or a reader instead. */
const vaguePronoun = /\b(?:nobody|somebody|anybody)\b/i;

/** Lines in which the word is a name: the user `nobody`, and the pattern of this test. */
const allowedLine = /name: 'nobody'|nobody\|somebody\|anybody/;

const documents = readdirSync(join(root, 'docs'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
  .map((entry) => join(entry.parentPath, entry.name));

const papers = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'].map((name) => join(root, name));

/** Packages whose comments name the process, the client or the object that they mean. */
const withoutWhoever = ['apis', 'engine', 'operator', 'requirements'].map((name) => join(root, 'packages', name));

test('apis, engine, operator and requirements do not use the word "whoever"', () => {
  const files = productSources().filter((file) => withoutWhoever.some((folder) => file.startsWith(`${folder}/`)));
  const found = files.filter((file) => /\bwhoever\b/i.test(readFileSync(file, 'utf8')));
  expect(found.map((file) => relative(root, file))).toEqual([]);
});

test('sources and documents use no vague pronoun', () => {
  const found = [...productSources(), ...workshopSources(), ...documents, ...papers].flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        vaguePronoun.test(line) && !allowedLine.test(line)
          ? [`${relative(root, file)}:${index + 1}: ${line.trim()}`]
          : [],
      ),
  );
  expect(found).toEqual([]);
});
