import type { ImageRule, NodeRollout } from '@nodewright/apis';
import type { RolloutHappening } from '@nodewright/engine';
import { printEntries } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { reportHappenings, reportRolloutAction } from './report.ts';

const rollout: NodeRollout = {
  metadata: { name: 'web-2', uid: 'uid-web-2' },
  spec: { policy: 'web', number: 2, cause: 'NewRelease', from: [], to: [], kubernetesVersion: '1.28', members: 4 },
};

const happening = (kind: RolloutHappening['kind'], message = 'because', of = 'web-2'): RolloutHappening => ({
  kind,
  rollout: of,
  message,
});

const rule: ImageRule = {
  metadata: { name: 'web-ami-2' },
  spec: { action: 'Deny', images: [{ id: 'ami-2' }], reason: 'rollout web-2 is halted' } as never,
};

for (const { fact, told, lines } of [
  {
    fact: 'a wave that begins is told once each as an event, a line and a count',
    told: reportHappenings(rollout, [happening('WaveBegun', 'wave 1: 3 nodes')]),
    lines: [
      'Normal WaveBegun NodeRollout/web-2: wave 1: 3 nodes (uid-web-2, WaveBegun, wave 1: 3 nodes)',
      'info rollout: WaveBegun {"NodeRollout":{"name":"web-2"},"message":"wave 1: 3 nodes"}',
      'rolloutHappened "web", "WaveBegun"',
    ],
  },
  ...(['NodeFailed', 'Halted', 'Parked', 'Stalled'] as const).map((kind) => ({
    fact: `${kind} is a warning`,
    told: reportHappenings(rollout, [happening(kind)]),
    lines: [
      `Warning ${kind} NodeRollout/web-2: because (uid-web-2, ${kind}, because)`,
      `warn rollout: ${kind} {"NodeRollout":{"name":"web-2"},"message":"because"}`,
      `rolloutHappened "web", "${kind}"`,
    ],
  })),
  {
    fact: 'what happened to another rollout is not told of this one',
    told: reportHappenings(rollout, [happening('Halted', 'because', 'web-1')]),
    lines: [],
  },
  {
    fact: 'a replacement that is called off',
    told: reportRolloutAction({ kind: 'release', node: 'a', because: 'halted' } as never),
    lines: ['info calling off a replacement {"NodeClaim":{"name":"a"},"reason":"halted"}'],
  },
  {
    fact: 'a claim that is deleted',
    told: reportRolloutAction({ kind: 'callOff', claim: 'a', because: 'superseded' } as never),
    lines: ['info deleting a claim of a rollout {"NodeClaim":{"name":"a"},"reason":"superseded"}'],
  },
  {
    fact: 'an image that is kept out is a warning in the log',
    told: reportRolloutAction({ kind: 'writeRule', rule }),
    lines: ['warn keeping an image out {"ImageRule":{"name":"web-ami-2"},"reason":"rollout web-2 is halted"}'],
  },
  {
    fact: 'an image that is let in again',
    told: reportRolloutAction({ kind: 'deleteRule', name: 'web-ami-2', because: 'resumed' } as never),
    lines: ['info letting an image in again {"ImageRule":{"name":"web-ami-2"},"reason":"resumed"}'],
  },
]) {
  test(`of a rollout: ${fact}`, () => expect(printEntries(told)).toEqual(lines));
}
