import { type ControllerRevision, type DaemonSet, daemonSets } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { planRevision, planSurplusRevisions, templateOfRevision } from './revisions.ts';

const aSet = (image: string, revisionHistoryLimit?: number): DaemonSet => ({
  metadata: { name: 'agent', namespace: 'kube-system' },
  spec: {
    selector: { matchLabels: { app: 'agent' } },
    template: { metadata: { labels: { app: 'agent' } }, spec: { containers: [{ name: 'agent', image }] } },
    ...(revisionHistoryLimit === undefined ? {} : { revisionHistoryLimit }),
  },
});

const historyOf = (...images: readonly string[]): readonly ControllerRevision[] =>
  images.reduce<readonly ControllerRevision[]>(
    (history, image) => planRevision(daemonSets, aSet(image), history).history,
    [],
  );

const numbersOf = (history: readonly ControllerRevision[]): readonly number[] =>
  history.map(({ revision }) => revision);

for (const { fact, images, image, kinds, numbers } of [
  { fact: 'the first template gets revision 1', images: [], image: 'a', kinds: ['createRevision'], numbers: [1] },
  {
    fact: 'a new template gets the next revision',
    images: ['a'],
    image: 'b',
    kinds: ['createRevision'],
    numbers: [1, 2],
  },
  { fact: 'the present template keeps its revision', images: ['a', 'b'], image: 'b', kinds: [], numbers: [1, 2] },
  {
    fact: 'a template that comes back becomes the latest',
    images: ['a', 'b'],
    image: 'a',
    kinds: ['renumberRevision'],
    numbers: [2, 3],
  },
]) {
  test(fact, () => {
    const { present, history, actions } = planRevision(daemonSets, aSet(image), historyOf(...images));
    expect(actions.map(({ kind }) => kind)).toEqual(kinds);
    expect(numbersOf(history)).toEqual(numbers);
    expect(present.revision).toBe(Math.max(...numbers));
    expect(templateOfRevision(present.data)).toEqual(aSet(image).spec.template);
  });
}

for (const { fact, limit, used, deleted } of [
  { fact: 'revisions within the history stay', limit: 3, used: [], deleted: [] },
  { fact: 'the oldest beyond the history are deleted', limit: 1, used: [], deleted: [1, 2] },
  { fact: 'revisions in use stay and do not count', limit: 1, used: [1], deleted: [2] },
  { fact: 'ten revisions are kept by default', limit: undefined, used: [], deleted: [] },
]) {
  test(`of three revisions: ${fact}`, () => {
    const history = historyOf('a', 'b', 'c');
    const names = history.filter(({ revision }) => (used as readonly number[]).includes(revision));
    const inUse = new Set(names.map(({ metadata }) => metadata.name));
    const actions = planSurplusRevisions(aSet('c', limit), history, inUse);
    expect(numbersOf(actions.map(({ revision }) => revision))).toEqual(deleted);
  });
}
