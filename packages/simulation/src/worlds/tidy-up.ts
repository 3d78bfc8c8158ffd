import {
  disruptionPauses,
  isConditionTrue,
  type KubernetesObject,
  nodeClaims,
  nodeRolloutPolicies,
} from '@nodewright/apis';
import { listBehaviors } from '@nodewright/aws-endpoints';
import type { History } from '../histories/history.ts';
import { simulatedPolicyName } from '../histories/manifests.ts';
import { instanceIdOf } from '../invariants/observed-objects.ts';
import { listKind, patchPool, publishNextBuild, steppedKinds } from './perform-history-step.ts';
import type { SimulatedWorld } from './simulated-world.ts';

/** A person's work when the troubles are over: what nothing repairs by itself goes. */
export async function tidyUp(world: SimulatedWorld, { cluster }: History): Promise<void> {
  const { sandbox, time } = world;
  sandbox.aws.faults.clear();
  for (const operator of world.operators) operator.reconnect();
  for (const family of new Set(cluster.pools.map((pool) => pool.family))) publishNextBuild(world, family, 'healthy');
  // A budget may hold what a rollout leads to for ever.
  const opened = cluster.policy === undefined ? {} : { disruption: { budgets: [{ nodes: '50%' }] } };
  for (const { name } of cluster.pools) await patchPool(world, name, { limits: null, ...opened });
  for (const what of ['pods', 'nodes'] as const) {
    for (const { metadata } of await listKind(world, what)) await unprotect(world, what, metadata);
  }
  await loosenPolicy(world);
  const claims = (await time.finish(sandbox.admin.list(nodeClaims))).items;
  for (const claim of claims) {
    const isSick = !isConditionTrue(claim, 'Initialized') || isUnwell(world, instanceIdOf(claim.status?.providerID));
    if (isSick)
      await time.finish(sandbox.admin.delete(nodeClaims, { name: claim.metadata.name })).catch(() => undefined);
  }
}

/** Nothing waits for a person, a window or evidence any more, and nodes do not age. */
async function loosenPolicy({ sandbox: { admin }, time }: SimulatedWorld): Promise<void> {
  for (const { metadata } of (await time.finish(admin.list(disruptionPauses))).items)
    await time.finish(admin.delete(disruptionPauses, { name: metadata.name })).catch(() => undefined);
  const policy = await time.finish(admin.get(nodeRolloutPolicies, { name: simulatedPolicyName }));
  if (policy === undefined) return;
  const waves = policy.spec.waves?.map(({ approval: _approval, ...wave }) => wave);
  const nothing = { windows: null, blackouts: null, maxAge: null, promotion: null };
  const patch = { spec: { mode: 'Automatic', ...nothing, waves, health: { withoutEvidence: 'Proceed' } } };
  await time
    .finish(admin.patch(nodeRolloutPolicies, { name: simulatedPolicyName }, { type: 'merge', patch }))
    .catch(() => undefined); // it may be deleted meanwhile
}

async function unprotect(
  { sandbox, time }: SimulatedWorld,
  what: 'pods' | 'nodes',
  { name, namespace, annotations }: KubernetesObject['metadata'],
): Promise<void> {
  if (annotations?.['karpenter.sh/do-not-disrupt'] === undefined) return;
  const patch = { metadata: { annotations: { 'karpenter.sh/do-not-disrupt': null } } };
  const key = { name, ...(namespace !== undefined && { namespace }) };
  await time.finish(sandbox.admin.patch(steppedKinds[what], key, { type: 'merge', patch })).catch(() => undefined);
}

/** Whether the image, or a fault, made a bad node of the instance. */
function isUnwell({ sandbox }: SimulatedWorld, instanceId: string): boolean {
  const { releases, ec2 } = sandbox.aws;
  const instance = ec2.instances.get(instanceId);
  const release = releases.byImage(instance?.settings.imageId ?? '');
  return instance !== undefined && listBehaviors(instance, release).some(({ behavior }) => behavior !== 'healthy');
}
