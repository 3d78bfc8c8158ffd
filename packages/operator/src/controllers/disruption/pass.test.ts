import { fromTimestamp, instant } from '@nodewright/apis';
import type { DisruptionCandidate, DisruptionCommand, DisruptionMethod, DisruptionSnapshot } from '@nodewright/engine';
import { aNode, aNodePool } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { disruptionPass } from './pass.ts';

const now = fromTimestamp('2024-03-01T12:00:00Z');
const after = (seconds: number) => instant(now + seconds * 1_000);

const seen: DisruptionSnapshot = {
  supplies: [],
  nodes: [],
  queued: new Set(),
  pendingPods: [],
  daemonPods: [],
  namespaces: [],
  podDisruptionBudgets: [],
  options: { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' },
};

const candidate = (name: string): DisruptionCandidate => ({
  state: aNode(name),
  nodePool: aNodePool(),
  reschedulable: [],
  priceMicroUsdPerHour: 1,
  rescheduleCost: 1,
});

/** Finds one command about the node `name` unless that is queued, or none. */
const method = (name: string, traits: Partial<DisruptionMethod> & { readonly finds?: boolean } = {}) => ({
  name,
  reason: 'Empty' as const,
  plan: ({ queued }: DisruptionSnapshot) => ({
    commands: traits.finds === false || queued.has(`${name}-claim`) ? [] : [commandOf(name)],
    eligible: [],
    blocked: [],
  }),
  ...traits,
});

const commandOf = (name: string): DisruptionCommand => ({
  reason: 'Empty',
  candidates: [candidate(name)],
  replacements: [],
  destinations: [],
});

const startedBy = ({ commands }: { readonly commands: readonly DisruptionCommand[] }) =>
  commands.flatMap(({ candidates }) => candidates.map(({ state }) => state.node?.metadata.name));

const still = { validate: (command: DisruptionCommand) => ({ command, dropped: [] }) };
const noMore = { validate: () => ({ dropped: [{ claim: 'first-claim', because: 'churn' as const }] }) };

test('the first method that finds something ends the pass', () => {
  const methods = [method('none', { finds: false }), method('first'), method('second')];
  const pass = disruptionPass(methods, seen, { proposal: undefined, now });
  expect(startedBy(pass)).toEqual(['first']);
  expect(pass.evaluations.map((each) => each.method.name)).toEqual(['none', 'first']);
});

test('what a method wants validated waits for fifteen seconds, and the others go on meanwhile', () => {
  const methods = [method('first', still), method('second')];
  const { proposal, ...rest } = disruptionPass(methods, seen, { proposal: undefined, now });
  expect(startedBy(rest)).toEqual([]);
  expect(proposal?.checkAt).toBe(after(15));
  const meanwhile = disruptionPass(methods, seen, { proposal, now: after(14) });
  expect(startedBy(meanwhile)).toEqual(['second']);
  expect(meanwhile.proposal).toBe(proposal);
  const due = disruptionPass(methods, seen, { proposal, now: after(15) });
  expect(startedBy(due)).toEqual(['first']);
  expect(due.proposal).toBeUndefined();
});

test('nodes that wait are left alone by the others', () => {
  const { proposal } = disruptionPass([method('first', still)], seen, { proposal: undefined, now });
  const others = [method('first')];
  expect(startedBy(disruptionPass(others, seen, { proposal, now: after(1) }))).toEqual([]);
});

test('where nothing is left of what waited, the methods are asked anew, and what was dropped is told', () => {
  const { proposal } = disruptionPass([method('first', noMore)], seen, { proposal: undefined, now });
  const pass = disruptionPass([method('second')], seen, { proposal, now: after(15) });
  expect(startedBy(pass)).toEqual(['second']);
  expect(pass.validation?.dropped).toEqual([{ claim: 'first-claim', because: 'churn' }]);
});
