import { expect, test } from 'vitest';
import { ambiguousShare, declarations, oneWordFunctions, repeatedNames } from './names.ts';

/** Every controller and plan has these, so they tell a reader the same thing everywhere. */
const houseWords = new Set(['observe', 'plan', 'perform', 'report']);

/** Names that more than one file exports. The list only shrinks. */
const knownRepetitions: readonly string[] = [
  'BatchWindow',
  'Bootstrap',
  'Leadership',
  'NodeChoice',
  'Storage',
  'UpdateTarget',
  'attachLimitsOf',
  'checkMetadata',
  'checkNumber',
  'checkText',
  'earliest',
  'eksUpdateTaint',
  'evictPod',
  'findNodeOfInstance',
  'isEqualJson',
  'latest',
  'outcomeOf',
  'schedulingClassOf',
];

/** The parts of a schema, lengths of time and the label algebra read as words of a small language. */
const smallLanguages: readonly string[] = [
  'choice flag integer list object optional quantity rule text timestamp',
  'days earliest hours instant latest minutes seconds',
  'allows anything incompatibility intersect intersects nothing representative requirement',
  'printed satisfies written',
].flatMap((line) => line.split(' '));

/** Exported functions of one word without such a reason. The list only shrinks. */
const knownSingleWords: readonly string[] = [
  'both',
  'convert',
  'crds',
  'expressions',
  'finalized',
  'mapped',
  'paced',
  'part',
  'processors',
  'resize',
  'schedule',
  'stay',
  'texts',
  'troubled',
  'unconsolidatable',
  'unmark',
  'unreadable',
  'unsupported',
];

const all = declarations();
const repeated = [...repeatedNames(all.filter(({ isExported }) => isExported)).keys()].filter(
  (name) => !houseWords.has(name),
);
const single = new Set(
  oneWordFunctions(all)
    .map(({ name }) => name)
    .filter((name) => !houseWords.has(name) && !smallLanguages.includes(name)),
);

test('an exported name exists once', () => {
  expect(repeated.filter((name) => !knownRepetitions.includes(name))).toEqual([]);
});

test('an exported function has a name of more than one word', () => {
  expect([...single].filter((name) => !knownSingleWords.includes(name))).toEqual([]);
});

test('what was put right leaves the lists', () => {
  expect(knownRepetitions.filter((name) => !repeated.includes(name))).toEqual([]);
  expect(knownSingleWords.filter((name) => !single.has(name))).toEqual([]);
});

test('few declarations share their name with one in another file', () => {
  expect(ambiguousShare(all)).toBeLessThan(0.12);
});
