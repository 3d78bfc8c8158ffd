import type { NodeRolloutPolicySpec } from '@nodewright/apis';
import { aRolloutFleet } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

/** How often the controller looked at a policy while so many nodes came. */
async function countLooks(nodes: number, policy: NodeRolloutPolicySpec): Promise<number> {
  const fleet = await aRolloutFleet(nodes, policy);
  const lines = await fleet.metric('controller_runtime_reconcile_total');
  await fleet.stop();
  return lines
    .filter((line) => line.includes('controller="noderolloutpolicy"'))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

const ofOthers: NodeRolloutPolicySpec = { selector: { nodePools: { matchLabels: { tier: 'production' } } } };

test('a policy is looked at for nodes of its own pools alone', async () => {
  const looks = await countLooks(6, ofOthers);
  expect(looks).toBe(await countLooks(1, ofOthers));
  expect(await countLooks(6, {})).toBeGreaterThan(looks);
});

test('news that come within a second are one look', async () => {
  const looksForOne = await countLooks(1, {});
  expect(await countLooks(6, {})).toBeLessThanOrEqual(looksForOne + 2);
});
