import type { NodeRollout, NodeRolloutStatus } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { listRolloutCommands } from './rollout-commands.ts';

const spec: NodeRollout['spec'] = {
  policy: 'p',
  number: 1,
  cause: 'NewRelease',
  from: [],
  to: [],
  kubernetesVersion: '1.31',
  members: 3,
};
const waiting = (reason: string): NodeRolloutStatus => ({
  state: 'WaitingForApproval',
  conditions: [{ type: 'WaitingForApproval', status: 'True', reason, lastTransitionTime: '2026-06-01T00:00:00Z' }],
});
const neededOf = (status: NodeRolloutStatus) =>
  listRolloutCommands({ metadata: { name: 'p-1' }, spec, status })
    .filter(({ isNeeded }) => isNeeded)
    .map(({ command }) => command);

for (const { fact, status, commands } of [
  { fact: 'halted', status: { state: 'Halted' }, commands: ['resume', 'rollback'] },
  { fact: 'waiting for an approval', status: waiting('ApprovalNeeded'), commands: ['approve'] },
  { fact: 'waiting for evidence that does not come', status: waiting('SoakSkipNeeded'), commands: ['skip-soak'] },
  { fact: 'soaking', status: { state: 'Soaking' }, commands: [] },
  { fact: 'over', status: { state: 'Superseded', endedAt: '2026-06-01T00:00:00Z' }, commands: [] },
] as readonly { fact: string; status: NodeRolloutStatus; commands: readonly string[] }[])
  test(`a rollout that is ${fact} is led on by ${commands.join(' or ') || 'no person'}`, () => {
    expect(neededOf(status)).toEqual(commands.map((verb) => `nodewright rollout ${verb} p-1 --reason TEXT`));
  });
