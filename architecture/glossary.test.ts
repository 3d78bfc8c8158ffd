import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { byText } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { declarations } from './names.ts';
import { root } from './sources.ts';

const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8');
const [defined = '', unused = ''] = glossary.split('## Words that names do not use');

/** Words of plain English that names are built with; their meaning needs no line. */
const plainWords = new Set(
  `a add addon after all allowed and answer api app apply as asked at attached attributes auto aws back bad beta1 bit block
  build by call cause causes change check choose column columns command compare complaint complaints config configuration context
  control count counter counters create custom data default delete deps describe document domains draw ec2 eks end entry
  error event experiment explain expression failure field fields file filter find first fis flag flags for form format
  found from get give given has hash have id in install invalid is it item job json keep kept key keys kind known lifecycle
  line lines list listed log loop machine make managed many map mark match merge message metadata method metric minor
  missing move ms name named names new next no not number object objects of on open operation option options or other
  out over own page parameter parse part patch path place planned point print printed put query read reader ready
  reason record reference refusal refuse replace request require resolve result review rewritten row run running same second seen
  selection serve served server set sets settings source sources stage start state step stop storage store stored
  stream such table target tell text the time to top trial turn unknown until update user v1 validate value values
  view vpc wait warm when with without word write written wrong`.split(/\s+/),
);

const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _]+/);

const singularOf = (word: string): string =>
  word.endsWith('ches')
    ? word.slice(0, -2)
    : word.endsWith('ies')
      ? `${word.slice(0, -3)}y`
      : word.replace(/(?<=[^su])s$/, '');

const exported = [
  ...new Set(
    declarations()
      .filter(({ isExported }) => isExported)
      .map(({ name }) => name),
  ),
];

/** Terms in bold at the start of a line, split into their words. */
const terms = new Set(
  [...defined.matchAll(/\*\*([^*]+)\*\*/g)].flatMap(([, term = '']) =>
    term
      .toLowerCase()
      .split(/[ -]/)
      .flatMap((word) => [word, singularOf(word)]),
  ),
);

test('words that many exported names share are explained or plain', () => {
  const counts = new Map<string, number>();
  for (const name of exported) {
    for (const word of new Set(wordsOf(name).map(singularOf))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const unexplained = [...counts]
    .filter(([word, count]) => count >= 10 && !terms.has(word) && !plainWords.has(word) && !plainWords.has(`${word}s`))
    .map(([word, count]) => `${word} (in ${count} names)`);
  expect(unexplained).toEqual([]);
});

test('no exported name has a word that is given up', () => {
  const givenUp = [...unused.matchAll(/^- ([^:]+):/gm)].flatMap(([, words = '']) => words.split(', '));
  expect(givenUp.length).toBeGreaterThan(0);
  const wrong = exported.filter((name) => wordsOf(name).some((word) => givenUp.includes(singularOf(word))));
  expect(wrong).toEqual([]);
});

test('terms are explained once, in alphabetical order', () => {
  const sections = defined.split('\n## ').slice(1);
  for (const section of sections) {
    const heads = [...section.matchAll(/^- \*\*([^*]+)\*\*/gm)].map(([, term = '']) => term.toLowerCase());
    expect(heads).toEqual(heads.toSorted(byText));
  }
  const all = [...defined.matchAll(/^- \*\*([^*]+)\*\*/gm)].map(([, term = '']) => term);
  expect(all.filter((term, index) => all.indexOf(term) !== index)).toEqual([]);
});
