import { describe, expect, test } from 'vitest';
import { type GroupSettings, SimulatedGroup } from '@nodewright/testkit';
import type { NewUpdate } from './update-record.ts';

type Story = {
  readonly fact: string;
  readonly settings?: Partial<GroupSettings>;
  readonly update?: Partial<NewUpdate>;
  readonly blocked?: boolean;
};

const plain = { terminations: 'shrink', suspend: ['AZRebalance', 'ScheduledActions'] } as const;
const someNodes = { ids: ['i-0001', 'i-0002'], known: [], rest: 'old' };

const stories: readonly Story[] = [
  { fact: 'an update' },
  { fact: 'an update of two nodes at once', update: { parallel: 2 } },
  { fact: 'a minimal update', update: { strategy: 'MINIMAL' } },
  { fact: 'an update that a budget blocks', blocked: true },
  { fact: 'a blocked update that is forced', blocked: true, update: { force: true } },
  { fact: 'a blocked update that is turned around', blocked: true, update: { onFailure: 'revert' } },
  { fact: 'an update to an image that never joins', settings: { broken: ['new'] } },
  { fact: 'an update with a zone that sells nothing', settings: { exhausted: ['c'] } },
  {
    fact: 'an update of a plain group with a warm pool',
    settings: { warm: 2 },
    update: { terminations: 'shrink', suspend: ['AZRebalance', 'ScheduledActions'] },
  },
  { fact: 'an update of two of its nodes', update: { ...plain, nodes: someNodes } },
  { fact: 'an update of two nodes that terminates first', update: { ...plain, strategy: 'MINIMAL', nodes: someNodes } },
  { fact: 'an update of two nodes that a budget blocks', update: { ...plain, nodes: someNodes }, blocked: true },
  {
    fact: 'an update of two nodes to an image that never joins',
    settings: { broken: ['new'] },
    update: { ...plain, nodes: someNodes },
  },
  { fact: 'another image for launches', update: { ...plain, nodes: { ids: [], known: [], rest: 'new' } } },
  {
    fact: 'an update of a plain group',
    update: { terminations: 'shrink', suspend: ['AZRebalance', 'ScheduledActions'] },
  },
];

type Deaths = Pick<NonNullable<Parameters<SimulatedGroup['run']>[1]>, 'losesAction' | 'diesAfter'>;

/** What a story comes to, and how many actions it took. */
function told({ settings, update, blocked = false }: Story, deaths: Deaths = {}) {
  const group = new SimulatedGroup({ nodes: 3, max: 5, ...settings });
  group.pods.push({
    name: 'web',
    node: group.nodeNames()[1]?.replace('node-', '') ?? '',
    ...(blocked && { budget: 'tight' }),
  });
  group.budgets['tight'] = 0;
  const record = group.run(group.begin(update), deaths);
  const { configurations, max, desired, marked, cordoned, suspended, log } = group;
  const size = { max, desired, versions: Object.keys(group.versions).length };
  const left = { marked, cordoned, suspended, warm: group.warm };
  return { end: { phase: record.phase, code: record.failure?.code, configurations, size, left }, actions: log.length };
}

describe('a host that dies once, at any action, comes to the same end', () => {
  for (const story of stories) {
    const undisturbed = told(story);
    test(`${story.fact}: before each of its ${undisturbed.actions} actions`, () => {
      for (let at = 1; at <= undisturbed.actions; at += 1) {
        expect(told(story, { losesAction: (number) => number === at }).end, `action ${at}`).toEqual(undisturbed.end);
      }
    });
    test(`${story.fact}: after each of its ${undisturbed.actions} actions`, () => {
      for (let at = 1; at <= undisturbed.actions; at += 1) {
        expect(told(story, { diesAfter: (number) => number === at }).end, `action ${at}`).toEqual(undisturbed.end);
      }
    });
  }
});

describe('a host that dies again and again comes to the same end', () => {
  for (const story of stories) {
    const undisturbed = told(story);
    test(`${story.fact}: after every single action`, () => {
      expect(told(story, { diesAfter: () => true }).end).toEqual(undisturbed.end);
    });
    for (const every of [2, 3, 5]) {
      test(`${story.fact}: before every ${every}. action`, () => {
        expect(told(story, { losesAction: (number) => number % every === 0 }).end).toEqual(undisturbed.end);
      });
    }
  }
});
