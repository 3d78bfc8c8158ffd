import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../examples/argocd');
const script = readFileSync(join(folder, 'health.lua'), 'utf8');
const lua = ['lua5.4', 'lua', 'lua5.3'].find((name) => spawnSync(name, ['-v']).status === 0);

/** A value as Lua writes it. */
function luaText(value: unknown): string {
  if (Array.isArray(value)) return `{${value.map(luaText).join(',')}}`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([key, member]) => `[${JSON.stringify(key)}]=${luaText(member)}`)
      .join(',')}}`;
  }
  return JSON.stringify(value);
}

/** `Healthy: message`, as Argo CD would read it. */
function healthOf(object: object): string {
  const program = `local obj = ${luaText(object)}
local health = (function() ${script} end)()
print(health.status .. ": " .. (health.message or ""))`;
  return execFileSync(lua ?? '', ['-e', program], { encoding: 'utf8' }).trim();
}

const condition = (type: string, status: 'True' | 'False' | 'Unknown', message = `${type} is ${status}`) => ({
  type,
  status,
  reason: type,
  message,
});
const anObject = (kind: string, conditions: readonly object[], status: object = {}) => ({
  kind,
  metadata: { name: 'production', generation: 2 },
  status: { observedGeneration: 2, conditions, ...status },
});

describe.skipIf(lua === undefined)('the health of objects in Argo CD', () => {
  for (const { fact, object, health } of [
    {
      fact: 'a new object',
      object: { kind: 'NodeGroup', metadata: {} },
      health: 'Progressing: waiting for the controller',
    },
    {
      fact: 'a change that was not seen yet',
      object: anObject('NodeRolloutPolicy', [condition('Ready', 'True')], { observedGeneration: 1 }),
      health: 'Progressing: waiting for the controller to see the last change',
    },
    {
      fact: 'a policy',
      object: anObject('NodeRolloutPolicy', [condition('Ready', 'True', 'governs 2')]),
      health: 'Healthy: governs 2',
    },
    {
      fact: 'a policy that cannot be read',
      object: anObject('NodeRolloutPolicy', [condition('Ready', 'False', 'spec.windows[0]: no')]),
      health: 'Degraded: spec.windows[0]: no',
    },
    {
      fact: 'a rollout under way',
      object: anObject('NodeRollout', [condition('Ready', 'False', '1 of 12'), condition('Reconciling', 'True')]),
      health: 'Progressing: 1 of 12',
    },
    {
      fact: 'a rollout that waits for a person',
      object: anObject('NodeRollout', [
        condition('Ready', 'False'),
        condition('WaitingForApproval', 'True', 'wave half'),
      ]),
      health: 'Suspended: wave half',
    },
    {
      fact: 'a halted rollout',
      object: anObject('NodeRollout', [condition('Stalled', 'True'), condition('Halted', 'True', '1 node failed')]),
      health: 'Degraded: halted: 1 node failed',
    },
    {
      fact: 'a rollout that does not end',
      object: anObject('NodeRollout', [condition('Stalled', 'True', '3 nodes remain')]),
      health: 'Degraded: 3 nodes remain',
    },
    {
      fact: 'a halted rollout that another one has followed',
      object: anObject('NodeRollout', [
        condition('Halted', 'True', '1 node failed'),
        condition('Stalled', 'True'),
        condition('Superseded', 'True', 'another target is wanted'),
      ]),
      health: 'Healthy: superseded: another target is wanted',
    },
    {
      fact: 'a complete rollout',
      object: anObject('NodeRollout', [condition('Complete', 'True', '12 of 12')]),
      health: 'Healthy: 12 of 12',
    },
    {
      fact: 'a node group that is updated',
      object: anObject('NodeGroup', [condition('UpToDate', 'False'), condition('Ready', 'False', 'Updating')]),
      health: 'Progressing: Updating',
    },
    {
      fact: 'a node group whose update failed',
      object: anObject('NodeGroup', [condition('Ready', 'False', 'PodEvictionFailure')], { phase: 'Failed' }),
      health: 'Degraded: PodEvictionFailure',
    },
    {
      fact: 'a node group that is not there',
      object: anObject('NodeGroup', [condition('GroupFound', 'False', 'no such group'), condition('Ready', 'False')]),
      health: 'Degraded: no such group',
    },
    {
      fact: 'a rule, which nothing has to work off',
      object: { kind: 'ImageRule', metadata: {}, spec: { verdict: 'Blocked', reason: 'CVE-2026-1234' } },
      health: 'Healthy: Blocked: CVE-2026-1234',
    },
    {
      fact: 'a pause',
      object: {
        kind: 'DisruptionPause',
        metadata: {},
        spec: { reason: 'fair', until: '2026-12-01T00:00:00Z', inFlight: 'Finish' },
      },
      health: 'Healthy: paused: fair, until 2026-12-01T00:00:00Z',
    },
    {
      fact: 'a pause without an end',
      object: { kind: 'DisruptionPause', metadata: {}, spec: { reason: 'fair', inFlight: 'Finish' } },
      health: 'Healthy: paused: fair',
    },
  ]) {
    test(`${fact}: ${health}`, () => expect(healthOf(object)).toBe(health));
  }
});

if (lua === undefined) {
  test('the health of objects in Argo CD', (context) => context.skip('needs lua on the PATH'));
}

test('the ConfigMap has the script for each kind', () => {
  const written = readFileSync(join(folder, 'argocd-cm.yaml'), 'utf8');
  const indented = script.replaceAll(/^(?=.)/gm, '    ');
  const kinds = ['NodeRolloutPolicy', 'NodeRollout', 'NodeGroup', 'ImageRule', 'DisruptionPause'];
  const data = kinds.map((kind) => `  resource.customizations.health.nodewright.dev_${kind}: |\n${indented}`);
  expect(written.split('\ndata:\n')[1]).toBe(data.join(''));
});
